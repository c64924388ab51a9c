// SPDX-License-Identifier: MIT
// Decides what in the whole of RAM leaks (leak_verdict.h has the rule for one series), so that
// growth is reported once, for the smallest subject that explains it.
//
// Subjects are judged from children to parents (ram_series.h). The pages of a leak are subtracted
// from its parents, so a folder, a file system or a class leaks only if the rest of it does. The
// pages of processes that leak are subtracted from class anon.
//
// Page cache is judged by the pages that no process maps. If processes leak shared memory, it is
// judged by its unmapped pages, too. In both cases all pages of the subject must grow as well:
// pages also become unmapped when a process ends.
//
// The kernel can reclaim page cache, and the objects of some slab caches (slab_reclaim.h). Their
// growth is called *reclaimable*, has low confidence, and is no alert. These slab caches have no
// parent, nor do buffer_head and radix_tree_node, which describe cached pages: of their growth, a
// quarter of the growth of cached pages is subtracted.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/analyze/ram/ram_series.h"
#include "analyzer/analyze/time/leak_search.h"
#include "analyzer/analyze/time/leak_verdict.h"

namespace physmem {

struct RamLeakRow {
  RamSubject subject;
  std::string process;          ///< of page tables
  bool is_reclaimable = false;  ///< by the kernel, unless in use
  bool is_rest = false;         ///< without its parts that leak
  std::vector<double> time;     ///< as in LeakRow
  std::vector<double> pages;
  LeakVerdict verdict;

  bool is_alert() const { return verdict.is_leak() && !is_reclaimable; }
};

class RamLeakJudge {
 public:
  struct Context {
    std::vector<double> time;  ///< of each sample
    double page_size = 4096;
    double min_duration = 0;
  };
  /// `processes`: rows of LeakSearch.
  RamLeakJudge(const RamSeries& series, Context context, const std::vector<LeakRow>& processes);

  /// One row per series: leaks, then what is reclaimable, then the rest; in each the fastest growth
  /// first.
  std::vector<RamLeakRow> rows();

 private:
  using Pages = std::vector<double>;

  RamLeakRow row(const RamSeriesEntry& entry);
  bool judges_unmapped(RamKind kind, const std::string& name) const;
  void subtract_processes(const RamSeriesEntry& entry, Pages& pages) const;
  void subtract_index(const RamSeriesEntry& entry, Pages& pages) const;
  void explain(const RamSeriesEntry& entry, const Pages& pages);
  LeakVerdict verdict(const std::vector<double>& time, const Pages& pages) const;
  /// Pages of a process in each sample.
  Pages sampled(const LeakRow& process) const;

  const RamSeries& series_;
  Context context_;
  Pages anon_leaks_;  ///< of processes, in each sample
  bool shared_leaks_ = false;
  Pages cached_;  ///< page cache and shared memory, in each sample
  std::map<const RamSeriesEntry*, Pages> explained_;  ///< pages of children that leak
};

}  // namespace physmem
