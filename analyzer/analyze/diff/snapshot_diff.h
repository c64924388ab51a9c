// SPDX-License-Identifier: MIT
// Changes between two snapshots by process, area and unit (I21).
//
// Pages are those in Rss. Two pages are the same page if the process is the same (process_match.h),
// the area continues (area_match.h) and the virtual address is equal. A page is *private* if it is
// anonymous and used once. Other pages, also pages of files, may be shared.
//
//   lost         resident before, not now
//   gained       resident now, not before
//   kept         resident before and now
//   moved        kept, in another frame
//   to private   kept, and private only now
//   copied       to private, in another frame (copy on write); if not copied, the other users
//                released the page
//   to shared    kept, and private only before: a fork, or memory that the kernel merged
//
// So gained - lost = after - before: per area, process and unit, and in total. Version 1 flags do
// not identify anonymous pages, so to private, copied and to shared are not known there.
//
// If either snapshot does not list the pages of an area, the counts are compared. The smaller count
// was kept. Moved, to private and to shared are not known.
//
// A process that was read in only one of the snapshots is not compared: it is in no row and no sum.
//
// Memory: the pages of the first snapshot (page_set.h), and some 400 bytes per area of both. The
// pages of the second snapshot are compared while it is read.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/diff/area_match.h"
#include "analyzer/analyze/diff/page_set.h"
#include "analyzer/analyze/process_match.h"

namespace physmem {

/// Pages that are in both snapshots.
struct KeptPages {
  std::uint64_t pages = 0;
  std::uint64_t moved = 0;
  std::uint64_t to_private = 0;
  std::uint64_t copied = 0;  ///< of to_private
  std::uint64_t to_shared = 0;

  KeptPages& operator+=(const KeptPages& other);
};

struct Change {
  std::uint64_t before = 0;  ///< resident
  std::uint64_t after = 0;
  std::uint64_t swapped_before = 0;
  std::uint64_t swapped_after = 0;
  KeptPages kept;
  bool is_by_page = true;  ///< false: some areas were compared only by counts

  std::uint64_t gained() const { return after - kept.pages; }
  std::uint64_t lost() const { return before - kept.pages; }
  /// Pages that were gained, lost or changed in place.
  std::uint64_t touched() const {
    return gained() + lost() + kept.moved + kept.to_private + kept.to_shared;
  }
  bool is_none() const { return touched() == 0 && swapped_before == swapped_after; }
  Change& operator+=(const Change& other);
};

enum class Fate {
  kStayed,
  kNew,
  kGone,
  kExec,  ///< the process executed another program: no page was kept
};

/// "stayed", "new", "gone", "exec".
std::string fate_name(Fate fate);

struct ProcessChange {
  std::string name;
  std::string name_before;  ///< if it differs
  std::uint64_t pid = 0;
  Fate fate = Fate::kStayed;
  Change change;
  std::string cgroup;                 ///< empty: not known
  std::optional<std::uint64_t> user;  ///< its id
};

/// An area. For areas that were merged or split, the first of them.
struct AreaChange {
  std::size_t process = 0;  ///< index in processes()
  Region region = Region::kUnexplained;
  std::string unit;  ///< empty if it has none
  std::uint64_t start = 0;
  std::uint64_t last = 0;  ///< inclusive
  Fate fate = Fate::kStayed;
  Change change;
};

/// A unit with its bss, or all memory of a region that belongs to no unit.
struct UnitChange {
  std::string unit;
  std::uint64_t distinct_before = 0;  ///< frames; each counts for the first unit that maps it
  std::uint64_t distinct_after = 0;
  Change change;  ///< summed over processes
};

class SnapshotDiff : public Analysis {
 public:
  void on_header(const Header& header) override;
  void on_area(const Process& process, const Area& area) override;
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
  void on_area_end(const Process& process, const Area& area) override;
  void on_process(const Process& process) override;
  void on_end() override;
  bool needs_first_seen() const override { return true; }

  const Header& header_before() const { return header_before_; }
  const Header& header_after() const { return header_; }
  /// True if both list pages of the same size. If not, all areas are compared by counts.
  bool has_pages() const {
    return header_before_.has_pages && header_.has_pages &&
           header_before_.page_size.bytes == header_.page_size.bytes;
  }
  /// False: frames may count for a process that is not compared.
  bool knows_distinct() const { return has_pages() && half_read_ == 0; }
  /// True if both have flags that identify anonymous pages.
  bool knows_private() const { return header_before_.stable_flags && header_.stable_flags; }
  /// All processes, changed or not, in the order of the second snapshot, then those that are gone.
  /// areas() and units() also have unchanged rows.
  const std::vector<ProcessChange>& processes() const { return processes_; }
  const std::vector<AreaChange>& areas() const { return areas_; }
  std::vector<UnitChange> units() const;
  UnitChange total() const;
  /// Processes of both snapshots that were read in only one of them.
  std::size_t half_read() const { return half_read_; }
  /// Pages in swap, before and after; a slot that several processes have counts once.
  std::pair<std::uint64_t, std::uint64_t> in_swap() const;

 private:
  /// The data of an area that is stored after its pages were read.
  struct Facts {
    std::uint64_t resident = 0;
    std::uint64_t first_seen = 0;
    std::uint64_t swapped = 0;
    bool is_listed = true;
    Region region = Region::kUnexplained;
    std::string label;  ///< the area's own unit
    std::string name;   ///< name of the unit that it belongs to
    UnitKey unit;       ///< key of that unit; without a unit, of the region
  };
  /// A process of one snapshot.
  struct Record {
    ProcessId id;
    std::string name;
    std::string cgroup;
    std::optional<std::uint64_t> user;
    std::optional<UnitKey> program;
    std::vector<AreaPlace> places;
    std::vector<Facts> facts;
    PageSet pages;
    SwapSlots slots;
  };
  /// An area of the second snapshot continues one of the first.
  struct Pair {
    std::size_t before = 0;
    std::size_t after = 0;
    KeptPages kept;
    bool is_by_page = true;
  };

  bool is_second() const { return snapshots_ == 2; }
  void find_before();
  PageSet::Page seen(const PageRun& page) const;
  void compare(std::uint64_t va, PageSet::Page page);
  void complete(const Process& process);
  void compare_counts();
  void pass_unread(const Process& process);
  void conclude(const Record& before, const Record& after, Fate fate);
  AreaChange area_row(const Record& record, std::size_t i, Fate fate) const;
  Change add_areas(const Record& before, const Record& after);
  void add_to_units(const Record& before, const Record& after);
  UnitChange& unit_of(const Facts& facts);

  SwapSlots slots_before_;
  SwapSlots slots_;
  Header header_;
  Header header_before_;
  std::size_t snapshots_ = 0;
  /// By pid. Processes of the first snapshot that were not found in the second yet.
  std::multimap<std::uint64_t, Record> before_;
  std::set<ProcessId> unread_before_;
  std::size_t half_read_ = 0;
  Record now_;                  ///< the current process
  Record old_;                  ///< the same process in the first snapshot, if any
  bool is_known_ = false;       ///< old_ is valid
  std::vector<Pair> pairs_;     ///< pairs of old_ and now_, in the order of both
  std::size_t first_pair_ = 0;  ///< of the area whose pages pass
  std::size_t pair_ = 0;        ///< of the current address
  std::size_t first_page_ = 0;  ///< in now_, of the current area
  std::vector<ProcessChange> processes_;
  std::vector<AreaChange> areas_;
  std::map<UnitKey, UnitChange> units_;
};

}  // namespace physmem
