// SPDX-License-Identifier: MIT
// An analysis as an option of the command line, with its answer in every form.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/cli/printer.h"
#include "analyzer/input/options.h"
#include "analyzer/shape/view.h"

namespace physmem {

class Question {
 public:
  virtual ~Question() = default;
  virtual Analysis& analysis() = 0;
  /// All analyses that the answer uses; each gets an event after those before it.
  virtual std::vector<Analysis*> analyses() { return {&analysis()}; }
  /// If not nullptr: receives the events of the snapshot, in addition to the analyses.
  virtual Events* events() { return nullptr; }
  /// Writes the answer, after the snapshot was read.
  virtual void answer(Printer& printer, const View& view) = 0;
  /// True if the snapshot lacks data for a complete answer.
  virtual bool data_is_missing(const Header& header) const { return !header.has_pages; }
  /// False if it uses only tasks and counters.
  virtual bool needs_areas() const { return true; }
  /// False if counts of areas are enough.
  virtual bool needs_pages() const { return needs_areas(); }
  /// True if its answer is written while the snapshot is read. answer() then ends it, before other
  /// answers begin.
  virtual bool answers_while_reading() const { return false; }
  /// For a series, after it was read: whether --fail-on-alert applies.
  virtual bool found_alert() const { return false; }
  /// After the answer: the snapshot contradicts the kernel's own totals.
  virtual bool is_refuted() const { return false; }
  /// After the answer: empty, or why it could not be written.
  virtual std::string failure() const { return {}; }
  /// Sentences on missing data, after the snapshot or the series was read.
  virtual std::vector<std::string> missing() const { return {}; }
};

/// What a question may need at construction.
struct QuestionContext {
  const Options& options;
  Printer& printer;
  const View& view;                         ///< filled in while the snapshot is read
  const std::vector<std::string>& missing;  ///< filled in after it was read
};

}  // namespace physmem
