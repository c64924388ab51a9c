// SPDX-License-Identifier: MIT
// Counts, over a series of snapshots, the pages of what can grow in the whole of RAM: slab caches,
// memory by code, page tables by process, tmpfs and other shared memory by file and file system,
// page cache by file and folder, and classes. ram_leak_judge.h decides which of them leak.
//
// Without owners (collected by proc), slab caches and callers of vmalloc come from the kernel's
// totals, and the page cache and shared memory are followed as a whole. Without the counters
// process.PID.page_tables_kB, page tables are followed as a class.
//
// Not followed, because they follow from others: free memory, memory of the boot, mapped files,
// zsmalloc (it holds swapped pages of processes, which count there), balloon.
//
// After a reboot, the series begins again. Snapshots without the whole of RAM are left out.
//
// Memory: as in ram_series.h, and some 200 bytes per owner of the current snapshot; while its
// folders are added up, also as in cache_folders.h.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/owner_directory.h"
#include "analyzer/analyze/owner_identity.h"
#include "analyzer/analyze/ram/ledger.h"
#include "analyzer/analyze/ram/ram_series.h"
#include "analyzer/analyze/ram/slab_reclaim.h"
#include "analyzer/analyze/time/leak_search.h"
#include "analyzer/analyze/time/ram_leak_judge.h"

namespace physmem {

class RamLeakSearch : public Analysis {
 public:
  /// `processes` must get each event first.
  explicit RamLeakSearch(const LeakSearch& processes) : processes_(processes) {}

  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_task(const Task& task) override;
  void on_process(const Process& process) override;
  void on_zone(const Zone& zone) override;
  void on_owner(const RamOwner& owner) override;
  void on_ram(const RamRun& run) override;
  void on_end() override;

  /// Every series (ram_leak_judge.h). `processes` are the rows of the other search.
  std::vector<RamLeakRow> rows(const std::vector<LeakRow>& processes) const;
  /// Snapshots with the whole of RAM, since the last boot.
  std::size_t samples() const { return times_.size(); }
  /// Snapshots without it.
  std::size_t without_ram() const { return without_ram_; }

 private:
  struct OwnerCount {
    OwnerIdentity owner;
    FrameClass use = PM_RAM_UNKNOWN;
    SubjectPages pages = {};
  };
  /// A sample was taken at this time (LeakSearch::now_ns()), in this snapshot.
  struct Sample {
    std::uint64_t at_ns = 0;
    std::size_t snapshot = 0;
  };
  /// What is counted in one snapshot.
  struct Counts {
    Ledger ledger = {};  ///< without owners
    OwnerDirectory directory = {};
    std::vector<OwnerCount> owners = {};
    /// Owners with frames of several classes: their pages of all but the first class.
    std::map<std::pair<std::size_t, FrameClass>, SubjectPages> more = {};
    std::uint64_t unmapped_cache = 0;
    std::uint64_t unmapped_shared = 0;
    std::map<std::string, std::uint64_t, std::less<>> totals = {};  ///< slab.NAME, vmalloc.CALLER
    ReclaimableCaches reclaimable = {};
    std::unordered_map<std::uint64_t, std::uint64_t> tables = {};  ///< page tables in kB, by pid
    std::vector<std::pair<ProcessId, std::string>> processes = {};
  };
  using PagesByName = std::map<std::string, std::uint64_t>;

  template <class Take>
  void for_each_owner(RamOwner::Kind kind, Take take) const;
  void add_classes();
  void add_cache();
  void add_shared();
  void add_slab();
  void add_code();
  bool has(RamOwner::Kind kind) const;
  PagesByName totals_of(std::string_view prefix) const;
  PagesByName slab_caches() const;
  void add_page_tables();
  RamSeriesEntry* class_entry(const std::string& name) const;

  const LeakSearch& processes_;
  bool is_used_ = false;  ///< the current snapshot
  std::size_t boot_ = 0;
  std::size_t without_ram_ = 0;
  std::vector<Sample> times_;
  double page_size_ = 4096;
  RamSeries series_;
  Counts now_;
  std::map<std::string, RamSeriesEntry*> classes_;  ///< of this snapshot
};

}  // namespace physmem
