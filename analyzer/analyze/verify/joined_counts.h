// SPDX-License-Identifier: MIT
// Use counts of our own: in place of the recorded count of a page, the number of entries of all
// page tables in the snapshot (M:) that point to its frame.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analyzer/analyze/mapping_sweep.h"
#include "analyzer/parse/events.h"

namespace physmem {

/// Keeps the snapshot and passes it on at its end, with these counts, because a frame's last
/// mapping may be in the last area. Pages of the zero page and of memory without struct page, which
/// the kernel does not count either, keep their count. Memory: about 80 bytes per run of pages and
/// 300 per area.
class JoinedCounts : public Events {
 public:
  explicit JoinedCounts(Events& to) : to_(to) {}

  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_holder(Holder&& holder) override;
  void on_task(Task&& task) override;
  void on_vma(Vma&& vma) override;
  void on_counts(const PageCounts& counts) override;
  void on_pages(std::span<const PageRun> runs, const PageSums& sums) override;
  void on_swapped(std::span<const SwapEntry> entries) override;
  void on_zone(const Zone& zone) override;
  void on_owner(RamOwner&& owner) override;
  void on_ram(const RamRun& run) override;
  void on_elided() override;
  void on_end(const SnapshotEnd& end) override;

 private:
  struct Counters {
    std::vector<std::pair<std::string, std::uint64_t>> values;
  };
  struct Elided {};
  /// Pages and swap entries that one call passed on.
  using Pages = std::vector<PageRun>;
  using Swapped = std::vector<SwapEntry>;
  using Event =
      std::variant<Counters, Holder, Task, Vma, PageCounts, Pages, Swapped, Zone, RamOwner, RamRun,
                   Elided>;

  /// From this frame on, until the next one of the list, each frame has so many mappings.
  struct Depth {
    std::uint64_t pfn = 0;
    std::uint64_t mappings = 0;
  };

  void count_mappings();
  void join(Pages& runs) const;
  void pass_counts(std::size_t index);

  Events& to_;
  Header header_;
  std::vector<Event> events_;
  std::vector<Depth> depths_;
};

}  // namespace physmem
