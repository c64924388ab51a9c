// SPDX-License-Identifier: MIT
// Turns the events of a snapshot into a round: of a live sample, of a recording, or of any other
// series of snapshots.
#pragma once

#include <optional>
#include <unordered_map>

#include "analyzer/analyze/process/basic.h"
#include "analyzer/analyze/process/process_sizes.h"
#include "analyzer/analyze/ram/memory_totals.h"
#include "analyzer/analyze/time/fault_sample.h"
#include "top/model/round.h"

namespace physmem::top {

/// Receives snapshots in order of time. Counters process.PID.NAME_kB, if present, are the memory of
/// a process; otherwise its areas and pages are summed up.
class RoundFold : public Analysis {
 public:
  explicit RoundFold(ThrashLimits limits = {}) : detector_(limits) {}

  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_task(const Task& task) override { sampler_.on_task(task); }
  void on_process(const Process& process) override;
  void on_end() override;

  /// The round of the last snapshot.
  const Round& round() const { return round_; }

 private:
  void take_areas(const Process& process, ProcessSizes& sizes) const;
  void judge();

  Header header_;
  Round round_;
  ProcessSizeCounters sizes_;
  std::unordered_map<std::uint64_t, ProcessPointer> before_;
  FaultSampler sampler_;
  ThrashDetector detector_;
  std::optional<FaultSample> sample_before_;
  double seconds_ = 0;  ///< since the first round
  MemoryTotals totals_;
};

}  // namespace physmem::top
