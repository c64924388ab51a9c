// SPDX-License-Identifier: MIT
// Reports on standard error what the answers lack. A series says it once.
#pragma once

#include <cstddef>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "analyzer/analyze/census.h"
#include "analyzer/analyze/process_filter.h"
#include "analyzer/input/options.h"

namespace physmem {

/// What `only` selects and the snapshot does not have. `needs_areas`: of a question.
std::vector<std::string> sentences_on_selection(const Census& census, const ProcessFilter& only,
                                                bool needs_areas);

/// Whether words or patterns of the command line are of processes.
bool selects_processes(const Options& options, const ProcessFilter& only);
/// That none of these fits, or no cgroup that pays for frames.
std::string no_match(const Options& options, const ProcessFilter& only);

/// "a" or "b", of the words of the command line.
std::string quoted(const std::vector<std::string>& words);

class MissingNotes {
 public:
  MissingNotes(const Options& options, std::ostream& messages)
      : options_(options), messages_(messages) {}

  /// An input as messages name it.
  std::string name_of(const std::string& input) const;
  /// "this machine, snapshot 2 of 7". `number`: in the input, from 1.
  std::string name_of(const std::string& input, std::size_t number) const;

  void report(const std::string& name, const std::vector<std::string>& sentences);
  /// Of a snapshot: only what was not yet reported of the same input, whatever its number is,
  /// because nearly all snapshots of a series lack the same.
  void report_news(const std::string& name, const std::vector<std::string>& sentences);
  /// After the last snapshot of an input: how many had no news.
  void end_input(const std::string& input);

 private:
  const Options& options_;
  std::ostream& messages_;
  std::set<std::string> reported_;  ///< sentences printed for the current input, without numbers
  std::size_t repeated_ = 0;        ///< snapshots with only such sentences
};

}  // namespace physmem
