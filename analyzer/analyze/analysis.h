// SPDX-License-Identifier: MIT
// An analysis is a fold: it looks at areas, pages and processes as they pass, and holds rows at the
// end. It never prints.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analyzer/model/header.h"
#include "analyzer/model/page_run.h"
#include "analyzer/model/page_sums.h"
#include "analyzer/model/region.h"
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
  std::uint64_t special_first_seen = 0;  ///< hugetlb frames that no area before has
  std::uint64_t swapped = 0;
  bool has_unlisted =
      false;  ///< pages that only P: tells of: how often they are shared is not known

  std::uint64_t resident() const { return file.pages + anon.pages; }
  std::uint64_t single() const { return file.single + anon.single; }
  std::uint64_t shared() const { return file.shared + anon.shared; }
  PageShare share() const { return PageShare{file.share} += anon.share; }
};

struct Area {
  Vma vma;
  RegionMap::Marks marks;
  std::uint64_t virtual_pages = 0;
  PageCounts counts;  ///< as its collector made them
  AreaTally tally;    ///< complete at on_area_end()
  Regions regions;    ///< complete at on_process()
};

/// An address space and the task that it is named after. Kernel threads have no areas.
struct Process {
  Task task;
  std::uint64_t threads = 1;  ///< whose T: lines follow each other
  /// Its leader has no address space any more, and was given before as a process without areas:
  /// that was this one.
  bool has_ended_leader = false;
  std::vector<Area> areas;

  bool is_kernel_thread() const { return task.mm == 0; }
  std::uint64_t pid() const { return task.identity ? task.identity->tgid : task.pid; }
};

class Analysis {
 public:
  virtual ~Analysis() = default;
  virtual void on_header(const Header&) {}
  virtual void on_counters(std::span<const Counter>) {}
  /// Every T: line, threads too, before the process that it belongs to.
  virtual void on_task(const Task&) {}
  virtual void on_area(const Process&, const Area&) {}
  /// Frames are needed only by some; the others cost nothing a page.
  virtual void on_pages(const Process&, const Area&, std::span<const PageRun>) {}
  /// Before on_pages(), those of its runs that have a frame which no area before has. Runs of the
  /// zero page and of frames that the kernel does not manage come always, where the snapshot says
  /// which they are. For who asks by wants_new_frames().
  virtual void on_new_frames(const Process&, const Area&, std::span<const PageRun>) {}
  virtual void on_area_end(const Process&, const Area&) {}
  virtual void on_process(const Process&) {}
  /// Of a process that was given before: other tasks stand between its threads where they are in
  /// order of ids.
  virtual void on_late_thread() {}
  /// The snapshot is over. An analysis of a series gets the next one's header after it.
  virtual void on_end() {}
  /// Asks for PageTally::first_seen: a bit a frame and a look at it a page.
  virtual bool wants_first_seen() const { return false; }
  virtual bool wants_new_frames() const { return false; }
};

}  // namespace physmem
