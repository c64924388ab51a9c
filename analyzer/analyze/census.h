// SPDX-License-Identifier: MIT
// Combines events into processes, decides what each page counts as, and passes both to the
// analyses.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/mapping_sweep.h"
#include "analyzer/analyze/process_filter.h"
#include "analyzer/model/sparse_table.h"
#include "analyzer/parse/events.h"

namespace physmem {

/// A process without an address space: a kernel thread, or one that has ended and whose parent has
/// not read its exit status (zombie).
struct BareProcess {
  std::string name;
  bool is_kernel_thread = false;
};

/// Holds one process at a time, so its memory depends on the number of areas, not of pages. If an
/// analysis uses first_seen, one bit per frame is added; if one uses unique(), another bit per
/// frame and 24 bytes per run of shared pages of one process.
///
/// Invariant: every M: entry is counted once, in file, anon or special of its area. If a snapshot
/// lists no pages (pages=none) or not all of them (version 1, dropped lines), the P: counts are
/// used instead.
class Census : public Events {
 public:
  /// `only`: the processes to pass on.
  explicit Census(std::vector<Analysis*> analyses, ProcessFilter only = {});

  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_holder(Holder&& holder) override;
  void on_task(Task&& task) override;
  void on_vma(Vma&& vma) override;
  void on_counts(const PageCounts& counts) override;
  void on_pages(std::span<const PageRun> runs, const PageSums& sums) override;
  void on_swapped(std::span<const SwapEntry> entries) override;
  void on_elided() override;
  void on_zone(const Zone& zone) override;
  void on_owner(RamOwner&& owner) override;
  void on_ram(const RamRun& run) override;
  void on_end(const SnapshotEnd& end) override;

  const Header& header() const { return header_; }
  /// Process ids of `only` that no process has had so far.
  const std::set<std::uint64_t>& not_found() const { return not_found_; }
  /// By process id, if `only` selects processes: those that it selects and that have no memory.
  const std::map<std::uint64_t, BareProcess>& bare_processes() const { return bare_processes_; }
  /// Whether a process with an address space fitted `only`.
  bool has_address_spaces() const { return has_address_spaces_; }
  /// Whether a process fitted `only`.
  bool has_processes() const { return has_processes_; }
  /// Areas listed again for an address space that was already complete. They are left out.
  std::uint64_t repeated_areas() const { return repeated_areas_; }

 private:
  void announce_task(const Task& task);
  bool is_of_process(const Task& task) const;
  void announce_late(const Task& task);
  void take_ended_leader();
  void announce();
  void keep_shared(std::span<const PageRun> runs);
  void find_repeated();
  void count_repeated();
  void see_frames(std::span<const PageRun> runs);
  std::uint64_t insert_scattered(const PageRun& run);
  void take_counts(Area& area);
  static void make_special(AreaTally& tally);
  void finish_area();
  void limit_thread_stacks();
  void finish_process();
  void note_memory();
  void finish_tasks();
  Area& area() { return process_->areas.back(); }

  std::vector<Analysis*> analyses_;
  ProcessFilter only_;
  bool needs_first_seen_ = false;
  bool needs_new_frames_ = false;
  bool needs_unique_ = false;
  Header header_;
  PageKinds kinds_;  ///< of the header
  std::optional<Process> process_;
  std::vector<Area> no_areas_;  ///< empty; the memory of the last process's
  std::optional<RegionMap> regions_;
  MappingSweep shared_;  ///< of the process, with tags: twice the area's index, 1 more if anonymous
  FrameSet shared_frames_;                      ///< those of `shared_`
  bool has_repeated_ = false;                   ///< one of them twice
  std::unordered_set<std::uint64_t> complete_;  ///< address spaces whose areas have been read
  std::unordered_map<std::uint64_t, Task> leaders_without_mm_;  ///< by pid; kernel threads too
  FrameSet frames_;
  std::vector<PageRun> new_frames_;
  std::uint64_t linear_frames_ = 0;  ///< of the header
  bool in_area_ = false;
  bool announced_ = false;   ///< the area was passed to the analyses
  bool incomplete_ = false;  ///< not all of the area's pages are listed
  bool has_processes_ = false;
  bool repeated_ = false;  ///< the areas that follow were counted before
  std::uint64_t repeated_areas_ = 0;
  std::set<std::uint64_t> not_found_;
  std::map<std::uint64_t, BareProcess> bare_processes_;
  bool has_address_spaces_ = false;
};

}  // namespace physmem
