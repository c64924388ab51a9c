// SPDX-License-Identifier: MIT
// Pages of processes and frames of RAM by node, zone or memory tier: passes on only those that are
// selected.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze/ram_groups.h"
#include "analyzer/model/page_sums.h"
#include "analyzer/parse/events.h"

namespace physmem {

/// Z: lines follow the processes, so the zones are those of the counters zone.NODE.NAME.first and
/// .spanned at the beginning (format 2.11.0). Without them no page is passed on. Pages in swap are
/// in no zone. For R: lines, the zones are those of Z:. The kernel's totals are of the whole
/// machine, so they are not passed on.
class FrameFilter : public Events {
 public:
  FrameFilter(Events& to, const RamSelection& selection);

  /// Why pages are missing. Empty: nothing is selected, or the zones are known.
  std::string problem() const;

  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_task(Task&& task) override { to_.on_task(std::move(task)); }
  void on_vma(Vma&& vma) override { to_.on_vma(std::move(vma)); }
  void on_counts(const PageCounts& counts) override { to_.on_counts(counts); }
  void on_pages(std::span<const PageRun> runs, const PageSums& sums) override;
  void on_swapped(std::span<const SwapEntry> entries) override;
  void on_zone(const Zone& zone) override;
  void on_owner(RamOwner&& owner) override { to_.on_owner(std::move(owner)); }
  void on_ram(const RamRun& run) override;
  void on_elided() override { to_.on_elided(); }
  void on_end(const SnapshotEnd& end) override { to_.on_end(end); }

 private:
  void add_zone(const Counter& counter);

  Events& to_;
  RamGroups groups_;
  RamGroups ram_groups_;
  Header header_;
  PageKinds kinds_;
  std::vector<Zone> zones_;  ///< until the first page
  bool has_zones_ = false;
  bool is_prepared_ = false;
  std::vector<PageRun> selected_;
};

}  // namespace physmem
