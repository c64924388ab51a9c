// SPDX-License-Identifier: MIT
// --faults: who faults over a series of snapshots, and whether the machine thrashes.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/fault_series.h"
#include "analyzer/cli/question.h"

namespace physmem {

class FaultsQuestion : public Question {
 public:
  explicit FaultsQuestion(const QuestionContext& context);

  Analysis& analysis() override { return series_; }
  bool data_is_missing(const Header&) const override { return false; }
  bool needs_areas() const override { return false; }
  void answer(Printer& printer, const View& view) override;
  bool found_alert() const override { return series_.found_thrashing(); }
  std::vector<std::string> missing() const override;

 private:
  bool is_full_;
  FaultSeries series_;
};

}  // namespace physmem
