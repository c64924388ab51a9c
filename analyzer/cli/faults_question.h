// SPDX-License-Identifier: MIT
// --ask faults: faults by process over a series of snapshots, and whether the machine thrashes.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/process/unit_reuse.h"
#include "analyzer/analyze/time/fault_series.h"
#include "analyzer/cli/question.h"

namespace physmem {

class FaultsQuestion : public Question {
 public:
  explicit FaultsQuestion(const QuestionContext& context);

  Analysis& analysis() override { return fold_; }
  bool data_is_missing(const Header&) const override { return false; }
  bool needs_areas() const override { return false; }
  void answer(Printer& printer, const View& view) override;
  bool found_alert() const override { return fold_.found_thrashing(); }
  std::vector<std::string> missing() const override;

 private:
  /// Faults of processes, and the reuse of listed pages if the snapshots list any.
  class Fold : public FaultSeries {
   public:
    using FaultSeries::FaultSeries;
    void on_header(const Header& header) override;
    void on_area(const Process& process, const Area& area) override;
    void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
    void on_end() override;

    UnitReuse units;
  };

  bool is_full_;
  Fold fold_;
};

}  // namespace physmem
