// SPDX-License-Identifier: MIT
// Questions about several snapshots: --ask diff and leaks.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/diff/ram_diff.h"
#include "analyzer/analyze/diff/snapshot_diff.h"
#include "analyzer/analyze/diff/totals_diff.h"
#include "analyzer/analyze/time/leak_search.h"
#include "analyzer/analyze/time/ram_leak_search.h"
#include "analyzer/cli/question.h"

namespace physmem {

/// Exactly two snapshots.
class DiffQuestion : public Question {
 public:
  explicit DiffQuestion(const QuestionContext& context)
      : use_(context.options.use), has_use_(context.options.shapes_diff) {
    use_.group = context.options.group;
  }
  Analysis& analysis() override { return diff_; }
  std::vector<Analysis*> analyses() override { return {&diff_, &ram_, &totals_}; }
  void answer(Printer& printer, const View& view) override;
  std::vector<std::string> missing() const override;

 private:
  /// Shown if the frames of RAM are not known of both snapshots.
  bool has_totals() const { return !ram_.is_known() && !totals_.parts().empty(); }
  void draw(Printer& printer, const View& view) const;
  UseView shaped_for(const Printer& printer) const;
  void write_text(Printer& printer, const View& view) const;
  void write_ram(Printer& printer, const View& view) const;

  UseView use_;
  bool has_use_;  ///< the user has shaped the tables
  SnapshotDiff diff_;
  RamDiff ram_;
  TotalsDiff totals_;
};

/// Requires three snapshots or more. Counts of areas are enough.
class LeaksQuestion : public Question {
 public:
  Analysis& analysis() override { return search_; }
  std::vector<Analysis*> analyses() override { return {&search_, &ram_}; }
  bool data_is_missing(const Header&) const override { return false; }
  bool needs_pages() const override { return false; }
  void answer(Printer& printer, const View& view) override;
  bool found_alert() const override { return found_leak_; }
  std::vector<std::string> missing() const override;

 private:
  void write_tables(Printer& printer, Format format, const std::vector<LeakRow>& rows,
                    const std::vector<RamLeakRow>& ram, const View& view) const;

  LeakSearch search_;
  RamLeakSearch ram_{search_};
  bool found_leak_ = false;
};

}  // namespace physmem
