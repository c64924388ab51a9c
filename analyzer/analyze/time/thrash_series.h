// SPDX-License-Identifier: MIT
// Judges each snapshot of a series against the one before it. Only two samples are in memory, so a
// series without end can be judged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "analyzer/analyze/series_order.h"
#include "analyzer/analyze/time/fault_sample.h"
#include "analyzer/analyze/time/thrash_detector.h"

namespace physmem {

class ThrashSeries : public Analysis {
 public:
  explicit ThrashSeries(ThrashLimits limits = {}) : detector_(limits) {}

  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_task(const Task& task) override;
  void on_end() override;

  /// The level after the last snapshot. kUnknown without a snapshot before it in its boot.
  Level level() const { return level_; }
  const ThrashLimits& limits() const { return detector_.limits(); }
  const SeriesOrder& order() const { return order_; }
  /// When the first sample was taken, since 1970. Nothing if the snapshots have no times.
  std::optional<std::uint64_t> begin_ns() const { return begin_ns_; }

 protected:
  virtual void on_window(const FaultWindow&, const WindowVerdict&) {}

 private:
  FaultSampler sampler_;
  ThrashDetector detector_;
  std::optional<FaultSample> before_;
  SeriesOrder order_;
  SeriesStep step_ = SeriesStep::kFirst;
  double now_ = 0;  ///< s since the first sample
  std::optional<std::uint64_t> begin_ns_;
  Level level_ = Level::kUnknown;
};

}  // namespace physmem
