// SPDX-License-Identifier: MIT
// Overview of a snapshot.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/process/alerts.h"
#include "analyzer/analyze/process/basic.h"
#include "analyzer/analyze/process/page_count.h"
#include "analyzer/analyze/process/process_sizes.h"
#include "analyzer/analyze/process/unit_totals.h"
#include "analyzer/analyze/ram/ledger.h"

namespace physmem {

/// Sums over processes. Processes that share one address space (vfork) are several here, and one in
/// the lists. The lists come from the analyses that it contains.
class Summary : public Analysis {
 public:
  Summary() = default;
  bool needs_first_seen() const override { return true; }
  bool needs_unique() const override { return true; }
  void on_header(const Header& header) override;
  void on_area_end(const Process& process, const Area& area) override;
  void on_process(const Process& process) override;
  void on_late_task(bool is_process) override {
    ++threads_;
    processes_ += is_process ? 1 : 0;
  }
  void on_counters(std::span<const Counter> counters) override {
    ledger_.on_counters(counters);
    sizes_.add(counters);
  }
  void on_zone(const Zone& zone) override { ledger_.on_zone(zone); }
  void on_ram(const RamRun& run) override { ledger_.on_ram(run); }

  const Header& header() const { return header_; }
  std::uint64_t processes() const { return processes_; }
  std::uint64_t kernel_threads() const { return kernel_threads_; }
  std::uint64_t threads() const { return threads_; }
  /// Pages in swap; a slot that several processes use counts once. Includes the pages of processes
  /// that have only counters.
  std::uint64_t swapped() const { return slots_.distinct() + in_unknown_slots_; }
  /// Frames by region. Each counts in the first area that maps it, so that the sum is pages().
  const std::array<std::uint64_t, kRegions>& regions() const { return regions_; }
  const PageCount& pages() const { return pages_; }
  const Basic& basic() const { return basic_; }
  const UnitTotals& units() const { return units_; }
  const Alerts& alerts() const { return alerts_; }
  /// The classes of frames, without owners.
  const Ledger& ledger() const { return ledger_; }

 private:
  Header header_;
  std::uint64_t processes_ = 0;
  std::uint64_t kernel_threads_ = 0;
  std::uint64_t threads_ = 0;
  SwapSlots slots_;
  std::uint64_t in_unknown_slots_ = 0;
  ProcessSizeCounters sizes_;
  std::array<std::uint64_t, kRegions> regions_{};
  PageCount pages_;
  Basic basic_;
  UnitTotals units_;
  Alerts alerts_;
  Ledger ledger_;
};

}  // namespace physmem
