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
#include "analyzer/analyze/ram/ram_verdict.h"

namespace physmem {

/// The kernel's numbers are process.PID.WHEN.NAME (formats/physmem-records.md), read just
/// before and after the areas and page tables of the process, and before and after the counts of
/// its pages in M:. Its share is the sum of 1/n for its pages, n being that count.
class ProcessWitness : public Analysis {
 public:
  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_task(const Task& task) override;
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
  void on_process(const Process& process) override;

  /// Whether the snapshot has counts of processes.
  bool is_known() const { return !stated_.empty(); }
  RamVerdict resident() const;
  RamVerdict proportional() const;

 private:
  using Number = std::optional<std::uint64_t>;
  /// One reading of the kernel's numbers.
  struct Reading {
    Number rss_kib, pss_kib;
    Number faults;  ///< of the process
    /// Totals of the machine: existing tasks, the newest id, faults of all processes.
    Number tasks, newest, all_faults;

    bool is_complete() const { return rss_kib && pss_kib && faults; }
    auto operator<=>(const Reading&) const = default;
  };
  struct Stated {
    std::string comm;
    Reading before, after;
    bool is_listed = false;  ///< has a T: line, and is not filtered out
    bool has_thp = false;
    std::uint64_t rss_pages = 0;
    /// Entries of its page tables that smaps counts and that are no pages of it: broken ones, and
    /// those that the kernel moved to another frame when they were read.
    std::uint64_t poisoned = 0, migrating = 0;
    PageShare share;

    bool is_complete() const { return before.is_complete() && after.is_complete(); }
    /// The same memory and no fault in between: nothing came, so nothing came and went.
    bool kept_memory() const {
      return before.rss_kib == after.rss_kib && before.faults == after.faults;
    }
    /// Nor did any task begin or end, or map a page, so none maps and unmaps the same pages.
    bool kept_shares() const { return before.tasks && before == after; }
  };

  Number* number_of(std::uint64_t pid, std::string_view name);
  VerdictKind judge(std::uint64_t ours_kib, const RamTotal& theirs_kib, std::uint64_t rounding_kib,
                    const Stated& stated) const;
  std::string poisoned_note() const;

  Header header_;
  std::map<std::uint64_t, Stated> stated_;  ///< by pid
};

}  // namespace physmem
