// SPDX-License-Identifier: MIT
#include "analyzer/analyze/time/thrash_series.h"

#include "analyzer/analyze/time/fault_window.h"

namespace physmem {

void ThrashSeries::on_header(const Header& header) {
  step_ = order_.add(header);
  if (step_ == SeriesStep::kFirst) begin_ns_ = header.time_ns;
  if (!order_.is_left_out()) sampler_.on_header(header);
}

void ThrashSeries::on_counters(std::span<const Counter> counters) {
  if (!order_.is_left_out()) sampler_.on_counters(counters);
}

void ThrashSeries::on_task(const Task& task) {
  if (!order_.is_left_out()) sampler_.on_task(task);
}

void ThrashSeries::on_end() {
  if (order_.is_left_out()) return;
  sampler_.on_end();
  const FaultSample& now = sampler_.sample();
  level_ = Level::kUnknown;
  if (before_ && step_ == SeriesStep::kNext) {
    const FaultWindow window = difference(*before_, now, now_);
    const WindowVerdict verdict = detector_.judge(window);
    now_ = window.end;
    level_ = verdict.level;
    on_window(window, verdict);
  } else if (before_) {
    detector_ = ThrashDetector(detector_.limits());
    now_ += order_.gap().value_or(0);
  }
  before_ = now;
}

}  // namespace physmem
