// SPDX-License-Identifier: MIT
// An analysis as the command line knows it: its name, and its answer in every form it has.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/cli/options.h"
#include "analyzer/cli/printer.h"
#include "analyzer/shape/view.h"

namespace physmem {

class Question {
 public:
  virtual ~Question() = default;
  virtual Analysis& analysis() = 0;
  /// After the snapshot was read.
  virtual void answer(Printer& printer, const View& view) = 0;
  /// The snapshot does not hold what a whole answer needs.
  virtual bool data_is_missing(const Header& header) const { return !header.has_pages; }
  /// Else tasks and counters are all it looks at.
  virtual bool needs_areas() const { return true; }
  /// Else counts of areas are enough.
  virtual bool needs_pages() const { return needs_areas(); }
  /// Its answer is being written while the snapshot is read; answer() ends it, before any other
  /// begins.
  virtual bool answers_while_reading() const { return false; }
  /// Of a series, once it was read: whether --fail-on-alert should fail, and what the answer lacks.
  virtual bool found_alert() const { return false; }
  virtual std::vector<std::string> missing() const { return {}; }
};

/// What a question may need to be asked.
struct QuestionContext {
  const Options& options;
  Printer& printer;
  const View& view;                         ///< filled in while the snapshot is read
  const std::vector<std::string>& missing;  ///< filled in when it was read
};

struct QuestionKind {
  const char* name;  ///< of the option
  const char* help;
  Format natural;
  bool has_picture;
  std::unique_ptr<Question> (*make)(const QuestionContext&);
  /// How many snapshots it takes. Above 1: a question of the series, asked once, answered behind
  /// its last.
  std::size_t min_snapshots = 1;
  std::size_t max_snapshots = std::numeric_limits<std::size_t>::max();

  bool is_of_series() const { return min_snapshots > 1; }
};

/// In the order of answers.
std::span<const QuestionKind> question_table();

}  // namespace physmem
