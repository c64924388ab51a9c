// SPDX-License-Identifier: MIT
// How the memory of each process grew over a series of snapshots, and what of it is a leak (I21):
// leak_verdict.h has the rule.
//
// Pages are what the process has, resident or in swap, by region and by area. Of mapped files,
// their own pages and the copies that the process made of them are apart: the first the kernel
// takes back when it needs memory. A region's trajectory catches memory that comes as ever more
// areas; an area's goes on while it grows, is merged or split (area_match.h). An area that ended
// before the last snapshot has come back, and is no leak. A process that ended and grew until then
// may have been killed for a leak, or have been a compiler: it is told of, with low confidence. A
// process that runs another program begins anew. One that was not in up to kLongestGap snapshots
// goes on when its start time proves that it is the same; version 1 tells none, and there it begins
// anew.
//
// An area that came after the process's first sample, or of which both ends moved since, is a piece
// of what an allocator maps here and unmaps there: it grows while others shrink. It is a leak only
// where its whole region is one too. Of 4000 simulated processes whose blocks come and go, 7 would
// have such a leak in 13 samples, and none has. Where few blocks change between two samples the
// pieces walk at random, and stay where they are: 17 of 1000 are named.
//
// A sample's time is that of the process's own reading (G: at.uptime_ns before its T: line), else
// that of the snapshot. After a reboot it goes on by the clock. Where snapshots have no time, or
// theirs do not ascend, the number of the snapshot takes its place: then rates are pages per
// snapshot.
//
// A process belongs to one boot: after a reboot no process goes on, and those before it have ended.
//
// Memory: some 300 bytes for each region and area of the processes that live, ended up to
// kLongestGap snapshots ago, or leaked, and 8 a snapshot (16 for an area with copies of a file's
// pages), 16 more for its row; nothing depends on the number of pages.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/area_match.h"
#include "analyzer/analyze/leak_verdict.h"
#include "analyzer/analyze/process_match.h"
#include "analyzer/analyze/series_order.h"

namespace physmem {

/// A trajectory and what it means.
struct LeakRow {
  std::string process;
  std::uint64_t pid = 0;
  bool has_ended = false;  ///< behind its last sample
  Region region = Region::kUnexplained;
  bool is_of_file = false;
  bool is_area = false;  ///< else all areas of that region
  std::string unit;      ///< of an area
  std::uint64_t start = 0;
  std::uint64_t last = 0;  ///< inclusive, in the last sample
  std::uint64_t first_pages = 0;
  std::uint64_t last_pages = 0;
  std::vector<double> time;   ///< s since the series began, or numbers of snapshots
  std::vector<double> pages;  ///< as many
  LeakVerdict verdict;
};

class LeakSearch : public Analysis {
 public:
  /// In seconds; where snapshots have no time, nothing is too short.
  explicit LeakSearch(double min_duration = kMinDuration) : min_duration_(min_duration) {}

  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_area(const Process& process, const Area& area) override;
  void on_process(const Process& process) override;
  void on_end() override;

  /// Of all that lives, and the leaks of what ended; the leaks first; heap before other anonymous
  /// memory before shared memory before the rest; the fastest first.
  std::vector<LeakRow> rows() const;
  /// Else rates are by snapshot.
  bool has_times() const { return has_times_; }
  /// From the first snapshot to the last: s, or numbers of snapshots.
  double span() const;
  double min_duration() const { return has_times_ ? min_duration_ : 0; }
  std::size_t snapshots() const { return snapshots_; }
  const SeriesOrder& order() const { return order_; }
  /// Snapshots that list no areas: nothing is known of them.
  std::size_t without_areas() const { return without_areas_; }
  /// In the last snapshot.
  std::size_t processes() const;
  /// Before the last snapshot. One that comes back after more than kLongestGap counts too.
  std::size_t ended() const;
  /// Of those, the ones in fewer than kMinSamples snapshots.
  std::size_t ended_early() const;
  /// Bytes, of the last snapshot that says so.
  std::optional<std::uint64_t> available() const { return available_; }

 private:
  /// Snapshots in which a reading may have failed before what is known of the process is let go.
  static constexpr std::size_t kLongestGap = 8;

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
    /// Where its ends have been since the process's first sample; none once they moved.
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
    std::size_t boot = 0;  ///< number of the boot that it ran in
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

  std::multimap<std::uint64_t, History>
      processes_;  ///< by pid; those that live, may come back, or leaked
  double min_duration_;
  std::size_t dropped_ = 0;        ///< processes that ended, and did not leak
  std::size_t dropped_early_ = 0;  ///< of those, with fewer than kMinSamples
  std::size_t snapshots_ = 0;
  std::size_t without_areas_ = 0;
  SeriesOrder order_;
  std::size_t boot_ = 0;
  std::uint64_t boot_ns_ = 0;   ///< when this boot began; modulo 2^64, as the first one's is 0
  double page_size_ = 4096;     ///< of the last snapshot
  std::uint64_t first_ns_ = 0;  ///< of the series
  std::uint64_t at_ns_ = 0;     ///< of the snapshot
  std::uint64_t next_ns_ = 0;   ///< of the task that comes
  std::uint64_t task_ns_ = 0;   ///< of the process whose areas pass
  bool has_times_ = true;
  std::optional<std::uint64_t> available_;
};

}  // namespace physmem
