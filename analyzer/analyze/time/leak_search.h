// SPDX-License-Identifier: MIT
// Finds leaks: the growth of each process's memory over a series of snapshots (I21). leak_verdict.h
// has the rule.
//
// The pages of a process, resident or in swap, are counted by region and by area. For mapped files,
// the file's own pages and the process's private copies are separate: the kernel can reclaim the
// former.
//
// There is one time series per region and one per area. A region's series shows memory that grows
// by new areas. An area's series continues while the area grows, is merged or split (area_match.h).
// The memory of an area that ended before the last snapshot was returned, so it is not a leak.
//
// A process that grew until it ended may have been killed for a leak, or may have been a compiler.
// It is reported with low confidence. A process that runs another program starts a new series. A
// process that is missing from up to kMaxGap snapshots continues if its start time is the same.
// Version 1 has no start times, so there it starts a new series.
//
// An area that appeared after the process's first sample, or whose ends both moved since, is a
// *piece*. An allocator maps and unmaps pieces, so one grows while others shrink. A piece is a leak
// only if its whole region is one too. Of 4000 simulated processes that allocate and free blocks, 7
// would have such a leak in 13 samples; with this rule none has. If few blocks change between two
// samples, pieces grow at random and stay in place: 17 of 1000 are then reported.
//
// The time of a sample is when the process was read (G: at.uptime_ns before its T: line), or the
// time of the snapshot if that is not known. After a reboot, time continues by the wall clock. If
// snapshots have no times, or times that do not ascend, the number of the snapshot is used. Rates
// are then in pages per snapshot.
//
// A process belongs to one boot: a reboot ends all processes.
//
// Memory: some 300 bytes, plus 8 per snapshot (24 while rows exist; 8 more for an area with copies
// of a file's pages), for each region and area of these processes: alive, ended up to kMaxGap
// snapshots ago, or leaked. It does not depend on the number of pages.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/diff/area_match.h"
#include "analyzer/analyze/process_match.h"
#include "analyzer/analyze/series_order.h"
#include "analyzer/analyze/time/leak_verdict.h"

namespace physmem {

/// A time series and its verdict.
struct LeakRow {
  std::string process;
  std::uint64_t pid = 0;
  bool has_ended = false;  ///< after its last sample
  Region region = Region::kUnexplained;
  bool is_of_file = false;
  bool is_area = false;  ///< false: all areas of that region
  std::string unit;      ///< of an area
  std::uint64_t start = 0;
  std::uint64_t last = 0;  ///< inclusive, in the last sample
  std::uint64_t first_pages = 0;
  std::uint64_t last_pages = 0;
  std::vector<double> time;   ///< s since the series began, or numbers of snapshots
  std::vector<double> pages;  ///< one for each time
  LeakVerdict verdict;
};

class LeakSearch : public Analysis {
 public:
  /// `min_duration` is in seconds. It is not applied if snapshots have no times.
  explicit LeakSearch(double min_duration = kMinDuration) : min_duration_(min_duration) {}

  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_area(const Process& process, const Area& area) override;
  void on_process(const Process& process) override;
  void on_end() override;

  /// Rows of live processes, and leaks of ended ones. Leaks come first, then by region: heap, other
  /// anonymous memory, shared memory, the rest. Within these, the fastest growth comes first.
  std::vector<LeakRow> rows() const;
  /// If false, rates are per snapshot.
  bool has_times() const { return has_times_; }
  /// From the first snapshot to the last: s, or numbers of snapshots.
  double span() const;
  double min_duration() const { return has_times_ ? min_duration_ : 0; }
  std::size_t snapshots() const { return snapshots_; }
  const SeriesOrder& order() const { return order_; }
  /// Time of the current snapshot since the first one; only valid if has_times().
  std::uint64_t now_ns() const { return at_ns_ - first_ns_; }
  /// Number of the current boot, from 0.
  std::size_t boot() const { return boot_; }
  /// Snapshots that list no areas and so cannot be used.
  std::size_t without_areas() const { return without_areas_; }
  /// Processes in the last snapshot.
  std::size_t processes() const;
  /// Processes that ended before the last snapshot. One that reappears after more than kMaxGap
  /// snapshots counts too.
  std::size_t ended() const;
  /// Those of ended() that are in fewer than kMinSamples snapshots.
  std::size_t ended_early() const;
  /// Available memory, in bytes, from the last snapshot that has it.
  std::optional<std::uint64_t> available() const { return available_; }

 private:
  /// Snapshots from which a process may be missing, because reading it failed, before its history
  /// is dropped.
  static constexpr std::size_t kMaxGap = 8;

  /// Pages at each sample of the process.
  using Pages = std::vector<std::uint64_t>;
  struct Kind {
    Region region = Region::kUnexplained;
    bool is_of_file = false;
    auto operator<=>(const Kind&) const = default;
  };
  struct AreaTrack {
    Kind kind;         ///< of the file's own pages; without a file: of all
    Kind copies_kind;  ///< of the process's copies of a file's pages
    std::string unit;
    std::uint64_t start = 0;
    std::uint64_t last = 0;
    /// The ends that have not moved since the process's first sample.
    std::optional<std::uint64_t> fixed_start;
    std::optional<std::uint64_t> fixed_last;
    Pages pages;
    Pages copies;  ///< empty where there has been none

    bool has_moved() const { return !fixed_start && !fixed_last; }
  };
  struct Sample {
    std::uint64_t at_ns = 0;
    std::size_t snapshot = 0;
  };
  struct History {
    ProcessId id;
    std::size_t boot = 0;  ///< number of its boot
    std::string name;
    std::optional<UnitKey> program;
    std::vector<Sample> samples;
    std::map<Kind, Pages> regions;
    std::vector<AreaPlace> places;      ///< of the last sample
    std::vector<std::size_t> track_of;  ///< of each of those
    std::vector<AreaTrack> tracks;
  };

  void begin_boot(const Header& header);
  bool drop_unless_leak(const History& history);
  History& history_of(const Process& process);
  bool may_go_on(const History& history) const;
  bool leaks(const History& history) const;
  bool is_alive(const History& history) const;
  static void add_to_regions(History& history, const Area& area);
  static void add_areas(History& history, const Process& process);
  static void add_pages(Pages& sum, const Pages& part);
  static void merge_tracks(History& history, AreaGroups& groups);
  static void look_at_ends(History& history);
  std::vector<double> times_of(const History& history) const;
  void add_rows(const History& history, std::vector<LeakRow>& rows) const;

  /// By pid: processes that are alive, may reappear, or leaked.
  std::multimap<std::uint64_t, History> processes_;
  double min_duration_;
  std::size_t dropped_ = 0;        ///< ended processes without a leak
  std::size_t dropped_early_ = 0;  ///< of those, with fewer than kMinSamples
  std::size_t snapshots_ = 0;
  std::size_t without_areas_ = 0;
  SeriesOrder order_;
  std::size_t boot_ = 0;
  std::uint64_t boot_ns_ = 0;   ///< start of this boot, modulo 2^64; 0 for the first boot
  double page_size_ = 4096;     ///< of the last snapshot
  std::uint64_t first_ns_ = 0;  ///< of the series
  std::uint64_t at_ns_ = 0;     ///< of the snapshot
  std::uint64_t next_ns_ = 0;   ///< of the next task
  std::uint64_t task_ns_ = 0;   ///< of the current process
  bool has_times_ = true;
  std::optional<std::uint64_t> available_;
};

}  // namespace physmem
