// SPDX-License-Identifier: MIT
// An analysis is a fold over areas, pages and processes that ends with rows. It never prints.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analyzer/model/header.h"
#include "analyzer/model/holder.h"
#include "analyzer/model/page_run.h"
#include "analyzer/model/page_sums.h"
#include "analyzer/model/region.h"
#include "analyzer/model/swap_slots.h"
#include "analyzer/model/task.h"
#include "analyzer/model/units.h"
#include "analyzer/model/vma.h"
#include "analyzer/parse/events.h"

namespace physmem {

/// All pages of one area. Rss = file + anon.
struct AreaTally {
  PageTally file;
  PageTally anon;
  std::uint64_t special = 0;  ///< resident, but left out of Rss: zero page, hugetlb, no struct page
  std::uint64_t special_first_seen = 0;  ///< hugetlb frames that no earlier area maps
  std::uint64_t swapped = 0;
  SwapSlots slots;  ///< the slots of `swapped` that S: lists
  /// Some pages are only counted by P:, so their number of mappings is not known.
  bool has_unlisted = false;

  std::uint64_t resident() const { return file.pages + anon.pages; }
  std::uint64_t single() const { return file.single + anon.single; }
  /// Frames that only this process maps, once or several times. Complete at on_process(), for
  /// analyses that need it.
  std::uint64_t unique() const { return single() + file.repeated + anon.repeated; }
  std::uint64_t shared() const { return file.shared + anon.shared; }
  PageShare share() const { return PageShare{file.share} += anon.share; }
};

struct Area {
  Vma vma;
  RegionMap::Marks marks;
  std::uint64_t virtual_pages = 0;
  PageCounts counts;  ///< as its collector made them
  AreaTally tally;    ///< complete at on_area_end(), but for `repeated`
  Regions regions;    ///< complete at on_process()
};

/// An address space and its first task, which names it. Kernel threads have no areas.
struct Process {
  Task task;
  std::uint64_t threads = 1;  ///< those whose T: lines are adjacent
  /// Its leader has ended and has no address space. It was reported before as a process without
  /// areas, and this is that process.
  bool has_ended_leader = false;
  std::vector<Area> areas;

  bool is_kernel_thread() const { return task.mm == 0; }
  /// It has memory that the collector could not read.
  bool is_unread() const { return task.mm != 0 && areas.empty(); }
  std::uint64_t pid() const { return task.identity ? task.identity->tgid : task.pid; }
};

class Analysis {
 public:
  virtual ~Analysis() = default;
  virtual void on_header(const Header&) {}
  virtual void on_counters(std::span<const Counter>) {}
  /// Called for every D: line, before the first task.
  virtual void on_holder(const Holder&) {}
  /// Called for every T: line, also for threads, before the process that it belongs to.
  virtual void on_task(const Task&) {}
  virtual void on_area(const Process&, const Area&) {}
  /// Only some analyses use pages; the others have no cost per page.
  virtual void on_pages(const Process&, const Area&, std::span<const PageRun>) {}
  /// Called before on_pages() if needs_new_frames(), only with runs that have a frame which no
  /// earlier area maps. Runs of the zero page and of frames without struct page are always
  /// included, if the snapshot has flags for them.
  virtual void on_new_frames(const Process&, const Area&, std::span<const PageRun>) {}
  virtual void on_area_end(const Process&, const Area&) {}
  /// The records of all RAM, which come after all processes.
  virtual void on_zone(const Zone&) {}
  virtual void on_owner(const RamOwner&) {}
  virtual void on_ram(const RamRun&) {}
  virtual void on_process(const Process&) {}
  /// Called for a task that no Process counts: a thread of an earlier process (if tasks are ordered
  /// by id, other tasks can come between its threads), or of a process that shares its address
  /// space. `is_process`: it is the first thread of such a process.
  virtual void on_late_task(bool /*is_process*/) {}
  /// The snapshot is complete. In a series, the header of the next one follows.
  virtual void on_end() {}
  /// True if the analysis uses PageTally::first_seen, which costs one bit per frame and one lookup
  /// per page.
  virtual bool needs_first_seen() const { return false; }
  virtual bool needs_new_frames() const { return false; }
  /// True if it uses AreaTally::unique(), which costs a lookup per run of shared pages.
  virtual bool needs_unique() const { return false; }
};

}  // namespace physmem
