// SPDX-License-Identifier: MIT
// What processes and classes of RAM have in each snapshot of a series, over one axis of time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze/process/memory_uses.h"
#include "analyzer/analyze/process_match.h"
#include "analyzer/analyze/ram/class_pages.h"
#include "analyzer/analyze/ram/ledger.h"
#include "analyzer/analyze/series_order.h"
#include "analyzer/analyze/time/fault_sample.h"

namespace physmem {

/// Page faults since the snapshot before.
struct NewFaults {
  std::uint64_t minors = 0;
  std::uint64_t majors = 0;
};

struct ProcessSample {
  ProcessId id;
  std::string name;
  std::optional<MemoryUse> use;     ///< nothing: the snapshot has only tasks
  std::optional<NewFaults> faults;  ///< nothing in the first snapshot of a process
};

struct MemorySample {
  std::uint64_t time_ns = 0;             ///< since the boot of the first snapshot
  std::optional<std::uint64_t> wall_ns;  ///< since 1970
  PageSize page_size;
  std::vector<ProcessSample> processes;  ///< without kernel threads
  std::vector<ClassPages> classes;       ///< empty: the snapshot does not have the whole of RAM
  std::optional<std::uint64_t> available_kib;
  std::optional<std::uint64_t> swap_used_kib;
};

/// Calls `take` for each snapshot with a time, in order. Left out are snapshots of another machine,
/// without a time, and not later than the one before. After a reboot the axis goes on by the clock.
///
/// Memory: the processes of two snapshots, this one and the one before. Owners of frames are not
/// stored.
class MemorySampler : public Analysis {
 public:
  using Take = std::function<void(const MemorySample&)>;
  explicit MemorySampler(Take take) : take_(std::move(take)) {}

  bool needs_unique() const override { return true; }
  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_task(const Task& task) override;
  void on_zone(const Zone& zone) override { ledger_.on_zone(zone); }
  void on_ram(const RamRun& run) override { ledger_.on_ram(run); }
  void on_process(const Process& process) override;
  void on_end() override;

  const SeriesOrder& order() const { return order_; }
  std::size_t samples() const { return samples_; }
  std::size_t without_time() const { return without_time_; }

 private:
  using Counts = std::pair<std::uint64_t, std::uint64_t>;  ///< minor and major faults

  std::optional<std::uint64_t> time_of(SeriesStep step);
  void add_faults();

  Take take_;
  SeriesOrder order_;
  Header header_;
  FaultSampler faults_;
  Ledger ledger_;
  ProcessSizeCounters sizes_;
  MemorySample sample_;
  bool is_taken_ = false;                 ///< the current snapshot has a place on the axis
  std::int64_t offset_ns_ = 0;            ///< of the current boot on the axis
  std::optional<std::uint64_t> last_ns_;  ///< on the axis
  std::optional<std::uint64_t> last_wall_ns_;
  std::map<ProcessId, Counts> before_;
  std::size_t samples_ = 0;
  std::size_t without_time_ = 0;
};

}  // namespace physmem
