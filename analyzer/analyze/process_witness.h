// SPDX-License-Identifier: MIT
// Memory of processes: resident and proportional, against /proc/PID/smaps_rollup.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/mapping_depths.h"
#include "analyzer/analyze/ram_verdict.h"

namespace physmem {

/// The kernel's numbers are those of process.PID.WHEN.NAME (formats/physmem-records.md), read just
/// before and after the page tables of the process. Its proportional share is compared with one of
/// our own: each page counts 1/n, by the n entries of all page tables that point to it.
/// Memory: 32 bytes per run of M:, and those of MappingDepths.
class ProcessWitness : public Analysis {
 public:
  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
  void on_process(const Process& process) override;
  /// Adds up the shares.
  void on_end() override;

  /// Whether the snapshot has counts of processes.
  bool is_known() const { return !stated_.empty(); }
  RamVerdict resident() const;
  RamVerdict proportional() const;

 private:
  struct Stated {
    std::string comm;
    RamTotal rss_kib, pss_kib, faults;
    unsigned times = 0;  ///< 2: before and after
    bool has_areas = false;
    std::uint64_t rss_pages = 0;
    PageShare share;
    /// The kernel's count of each page is the number of entries, so nothing changed since.
    bool is_settled = true;

    bool is_complete() const { return times == 2 && has_areas; }
    /// The kernel's numbers did not move.
    bool is_idle() const;
  };
  struct Mapped {
    std::uint64_t pid, pfn, pages, count;
  };

  static std::string name_of(std::uint64_t pid, const Stated& stated);
  void on_counter(const Counter& counter);
  void add_share(const Mapped& run, const std::vector<MappingDepth>& depths);

  Header header_;
  std::map<std::uint64_t, Stated> stated_;  ///< by pid
  MappingDepths entries_;
  std::vector<Mapped> runs_;
};

}  // namespace physmem
