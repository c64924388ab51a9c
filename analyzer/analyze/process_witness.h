// SPDX-License-Identifier: MIT
// Memory of processes: resident and proportional, against /proc/PID/smaps_rollup.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/mapping_depths.h"
#include "analyzer/analyze/ram_verdict.h"

namespace physmem {

/// The kernel's numbers are those of process.PID.WHEN.NAME (formats/physmem-records.md), read just
/// before and after the areas and page tables of the process. Its proportional share is compared
/// with one of our own: each page counts 1/n, by the n entries of all page tables that point to it.
/// Memory: 32 bytes per run of M: of these processes.
class ProcessWitness : public Analysis {
 public:
  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_task(const Task& task) override;
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
  void on_process(const Process& process) override;
  /// Adds up the shares, at the end of the snapshot.
  void add_shares(const std::vector<MappingDepth>& depths);

  /// Whether the snapshot has counts of processes.
  bool is_known() const { return !stated_.empty(); }
  RamVerdict resident() const;
  /// obstacle: why not all entries of page tables are known; empty: they are.
  RamVerdict proportional(std::string_view obstacle) const;

 private:
  /// One reading of the kernel's numbers.
  struct Reading {
    std::optional<std::uint64_t> rss_kib, pss_kib, faults;

    bool is_complete() const { return rss_kib && pss_kib && faults; }
    auto operator<=>(const Reading&) const = default;
  };
  struct Stated {
    std::string comm;
    Reading before, after;
    bool is_listed = false;  ///< has a T: line, and is not filtered out
    std::uint64_t rss_pages = 0;
    PageShare share;
    /// The kernel's count of each page is the number of entries, so nothing changed since.
    bool is_settled = true;

    bool is_complete() const { return before.is_complete() && after.is_complete(); }
    /// The same memory and no fault in between: nothing came, so nothing came and went.
    bool kept_memory() const {
      return before.rss_kib == after.rss_kib && before.faults == after.faults;
    }
    /// Others did not begin or end to share it, either.
    bool kept_shares() const { return before == after; }
  };
  struct Mapped {
    std::uint64_t pid, pfn, pages, count;
  };

  void on_counter(const Counter& counter);
  void add_share(const Mapped& run, const std::vector<MappingDepth>& depths);
  /// A member that is judged if both readings are there.
  static WitnessMember member_of(std::uint64_t pid, const Stated& stated);

  Header header_;
  std::map<std::uint64_t, Stated> stated_;  ///< by pid
  std::vector<Mapped> runs_;
};

}  // namespace physmem
