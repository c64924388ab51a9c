// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "analyzer/analyze/time/fault_series.h"
#include "tools/watch/sample_sink.h"

namespace physmem::watch {

/// Prints the verdicts of the thrash detector: one line per change of state with its reason, as
/// text or JSON.
class VerdictLines final : public SampleSink, private Events {
 public:
  /// `is_talkative`: print a line per sample, also without a change.
  /// `is_terminal`: names from right to left are isolated.
  VerdictLines(const ThrashLimits& limits, bool is_json, bool is_talkative = false,
               bool is_terminal = false)
      : detector_(limits),
        is_json_(is_json),
        is_talkative_(is_talkative),
        is_terminal_(is_terminal) {}

  Events& events() override { return *this; }
  void on_sample(std::ostream& out) override;
  void on_rest(std::ostream& out) override;
  bool is_busy() const override { return level_ > Level::kIdle; }

 private:
  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override { sampler_.on_counters(counters); }
  void on_task(Task&& task) override { sampler_.on_task(task); }
  void on_end(const SnapshotEnd&) override { sampler_.on_end(); }
  void write(const FaultEvent& event, std::ostream& out) const;

  FaultSampler sampler_;
  ThrashDetector detector_;
  bool is_json_;
  bool is_talkative_;
  bool is_terminal_;
  std::optional<FaultSample> before_;  ///< nothing after a rest
  double seconds_ = 0;                 ///< since the first sample after the last rest
  std::uint64_t time_ns_ = 0;          ///< of the last sample, since 1970
  Level level_ = Level::kIdle;         ///< of the last sample
};

}  // namespace physmem::watch
