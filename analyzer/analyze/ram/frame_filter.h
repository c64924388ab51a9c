// SPDX-License-Identifier: MIT
// Pages of processes and frames of RAM by node, zone or memory tier: passes on only those that are
// selected. Or frames by the cgroup that pays for them; then areas of processes are not passed on,
// because who pays for their pages is not known before R:.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze/ram/ram_groups.h"
#include "analyzer/analyze/ram/zone_counters.h"
#include "analyzer/model/page_sums.h"
#include "analyzer/parse/events.h"

namespace physmem {

/// Z: lines follow the processes, so the zones of their pages come from the counters
/// zone.NODE.NAME.first and .spanned at the beginning (format 2.11.0). Without them no area is
/// passed on. Pages in swap are in no zone. An area is passed on with the counts of its selected
/// pages. The zones of R: lines come from Z:. The kernel's totals and the size of RAM are of the
/// whole machine, so they are not passed on.
class FrameFilter : public Events {
 public:
  FrameFilter(Events& to, const RamSelection& selection);

  /// Why pages of processes, or frames of RAM, could not be selected or split. Empty: they were.
  std::string problem_of_pages() const;
  std::string problem_of_frames() const;
  /// Whether one of the selected cgroups pays for frames, or none are selected.
  bool fits_payers() const { return !selects_payers() || !payers_.empty() || !has_cgroups_; }
  /// Whether pages or frames were passed on.
  bool has_passed() const { return has_passed_; }

  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_holder(Holder&& holder) override { to_.on_holder(std::move(holder)); }
  void on_task(Task&& task) override;
  void on_vma(Vma&& vma) override;
  void on_counts(const PageCounts& counts) override;
  void on_pages(std::span<const PageRun> runs, const PageSums& sums) override;
  void on_swapped(std::span<const SwapEntry> entries) override;
  void on_zone(const Zone& zone) override;
  void on_owner(RamOwner&& owner) override;
  void on_ram(const RamRun& run) override;
  void on_elided() override { to_.on_elided(); }
  void on_end(const SnapshotEnd& end) override;

 private:
  bool knows_zones() const { return !zone_counters_.zones().empty(); }
  /// Whether frames of all places are selected.
  bool passes_all() const { return !groups_.is_filtered(); }
  bool selects_payers() const { return !groups_.selection().payers.empty(); }
  bool is_whole() const { return passes_all() && !selects_payers(); }
  void prepare();
  void select(const PageRun& run);
  void finish_area();
  void begin_ram();

  Events& to_;
  RamGroups groups_;      ///< of pages of processes
  RamGroups ram_groups_;  ///< of R: lines
  Header header_;
  std::set<std::uint64_t> payers_;  ///< owners of the selected cgroups
  bool has_cgroups_ = false;        ///< otherwise it is not known which pays
  PageKinds kinds_;
  ZoneCounters zone_counters_;
  std::vector<Zone> zones_;  ///< of Z:, until their tiers are known
  bool is_prepared_ = false;
  bool has_passed_ = false;
  std::vector<PageRun> selected_;
  PageSums sums_;       ///< of selected_
  PageCounts in_area_;  ///< selected pages of the area so far
};

}  // namespace physmem
