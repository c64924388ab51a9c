// SPDX-License-Identifier: MIT
// --ask if-stopped: what becomes free if processes end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/analyze/census.h"
#include "analyzer/analyze/process/stop_estimate.h"
#include "analyzer/cli/question.h"

namespace physmem {

/// Gets the processes that were not selected, too, because they keep what they share with those.
class StopQuestion : public Question {
 public:
  explicit StopQuestion(const QuestionContext& context)
      : options_(context.options),
        estimate_(options_.only,
                  asks_for_sets(options_) ? std::optional(options_.group) : std::nullopt),
        census_({&estimate_}) {}
  Analysis& analysis() override { return estimate_; }
  std::vector<Analysis*> analyses() override { return {}; }
  Events* events() override { return &census_; }
  bool data_is_missing(const Header&) const override;
  /// --need was not met.
  bool is_refuted() const override { return is_short_; }
  std::string failure() const override;
  std::vector<std::string> missing() const override;
  void answer(Printer& printer, const View& view) override;

 private:
  void write_sets(Printer& printer, Format format, const View& view);

  const Options& options_;
  bool is_short_ = false;
  StopEstimate estimate_;
  Census census_;
};

}  // namespace physmem
