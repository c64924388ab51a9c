// SPDX-License-Identifier: MIT
// Decides, window by window, whether the machine thrashes and which processes do. This is the only
// place that decides it.
//
// A page that is read back soon after its eviction is a refault, which the kernel counts
// (mm/workingset.c). Refaults during reclaim mean that pages are evicted because others are read
// back. Refaults without reclaim mean that a competitor ended and the rest reads its pages back:
// *recovering*. Reclaim without refaults means that memory fills up. This defines the *refault
// condition*: pages are scanned, and refaults reach 100 per second or 1 % of the pages on LRU lists
// per second.
//
// A process thrashes if the refault condition holds, it has at least 50 major faults per second,
// and less than 1 ms of CPU time for each. This is L < S (Denning and Kahn 1976); S is the
// service time of a fault, 1 ms by default. Minor faults are not considered: most of them occur
// when a program starts.
//
// A cgroup at its limit reclaims its own pages. /proc/vmstat counts them in pgscan_anon and
// pgscan_file, but not in pgscan_kswapd and pgscan_direct: the difference is reclaim by groups
// (mm/vmscan.c, cgroup_reclaim()). In series without these counters, LRU lists that do not grow by
// the pages read back show it, because as many are evicted. PSI does not: a stall counts only for
// pages of the working set, and was 2 to 5 % in a group that waited for the disk all the time.
//
// memory.high of a cgroup makes its tasks sleep when nothing can be reclaimed
// (mem_cgroup_handle_over_high()). They stall, but this is not paging: *held back*.
//
//   level        condition
//   0 idle       none of the conditions below
//   1 reclaim    pages are scanned, by the system or by a cgroup, few are read back
//   R recovering pages are read back, none are scanned, after a level of 2 or more
//   H held back  tasks stall for at least 10 % of the time (PSI some) in a group that memory.high
//                holds back, and the refault condition does not hold. In samples without counters
//                of groups: tasks stall so, no pages are scanned, few are read from disk, and at
//                least 10 % of memory is available
//   2 refaulting the refault condition holds
//   3 thrashing  the refault condition holds, and all tasks stalled for at least 5 % of the time
//                (PSI full); or a process thrashes. Without PSI: the refault condition holds, and
//                all processes together have at least 50 major faults per second and less than 1 ms
//                for each
//   4 severe     the refault condition holds, and all tasks stalled for 40 %, for 10 s; without
//                PSI: 10 % of the LRU lists are read back per second, for 10 s
//   5 critical   all tasks stalled for 60 %, for 30 s, while pages are scanned or less than 10 % of
//                memory is available, and no group is held back; or less than 10 % of memory is
//                available and less than 10 % of swap is free, while pages are scanned
//
// While the system thrashes (level 3 and above), 20 major faults per second are enough for a
// process to be reported, because many small processes contribute.
//
// Unless stated otherwise, a state is entered when its condition held for half of the last 5 s. It
// is left when half of its thresholds were not reached for 10 s, or for 4 s if it is over: nothing
// is scanned, and less than a tenth of the pages are read back. Recovering excludes the states
// that require the refault condition: the one that held longer recently ends the other.
//
// In samples without counters of reclaim (version 1, or no G: lines) the refault condition is
// unknown, and processes are judged without it. If refaults are not counted, major faults together
// with swap-outs are used.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/analyze/time/fault_window.h"
#include "analyzer/analyze/time/persistence.h"

namespace physmem {

struct ThrashLimits {
  double warn_rate = 20;  ///< major faults per second
  double thrash_rate = 50;
  double warn_lifetime_ms = 10;  ///< L
  double thrash_lifetime_ms = 1;
  double refault_rate = 100;  ///< pages per second
  double refault_share = 0.01;
  double refault_share_severe = 0.10;  ///< without PSI
  double full_thrashing = 0.05;
  double full_severe = 0.40;
  double full_critical = 0.60;
  double space_critical = 0.10;
  double some_held_back = 0.10;  ///< PSI some
  double growth_of_group =
      0.50;  ///< fraction of the refaults; below it, pages are evicted as others are read back

  /// Limits for a known service time S of a major fault. An efficiency L / (L + S) below 0.8 is a
  /// warning, below 0.5 thrashing.
  static ThrashLimits of_service_time(double ms);
};

enum class RefaultCondition { kUnknown, kFalse, kTrue };

enum class Level {
  kUnknown,
  kIdle,
  kReclaim,
  kRecovering,
  kHeldBack,
  kRefaulting,
  kThrashing,
  kSevere,
  kCritical
};

enum class FaultState { kQuiet, kWarned, kRecovering, kThrashing };

/// A change of a process's state.
struct StateChange {
  FaultState from = FaultState::kQuiet;
  FaultState to = FaultState::kQuiet;
  bool is_gone = false;  ///< it ended
  /// The window of the change; the last window of a process that has ended.
  ProcessWindow process;
  bool is_over = false;  ///< nothing is reclaimed any more, and few pages are read back
};

struct LevelChange {
  Level from = Level::kUnknown;
  Level to = Level::kUnknown;
};

struct WindowVerdict {
  Level level = Level::kUnknown;
  RefaultCondition refault_condition = RefaultCondition::kUnknown;
  std::vector<FaultState> states;  ///< of the window's processes
  std::vector<StateChange> processes;
  std::optional<LevelChange> change;
};

/// `factor` scales the limits: 1 to enter a state, 0.5 to stay.
RefaultCondition refault_condition(const SystemWindow& system, const ThrashLimits& limits,
                                   double factor = 1);
/// Whether pages are read back and none are evicted for them.
bool is_reading_back(const SystemWindow& system, const ThrashLimits& limits, double factor = 1);

class ThrashDetector {
 public:
  explicit ThrashDetector(ThrashLimits limits = {}) : limits_(limits) {}

  /// Call it with the windows of a series in order.
  WindowVerdict judge(const FaultWindow& window);
  const ThrashLimits& limits() const { return limits_; }

 private:
  /// The history of a process that has or had major faults.
  struct Suspect {
    Persistence warned;
    Persistence recovering{};
    Persistence thrashing;
    FaultState state = FaultState::kQuiet;
    ProcessWindow last;
    bool is_present = false;
  };

  FaultState judge(const ProcessWindow& process, const FaultWindow& window, WindowVerdict& verdict);
  void update(Suspect& suspect, const ProcessWindow& process, const FaultWindow& window) const;
  void drop_ended(WindowVerdict& verdict);
  bool thrashes(const FaultWindow& window, double factor) const;
  bool is_severe(const SystemWindow& system, double factor) const;
  void update_levels(const FaultWindow& window);
  Level level(bool any_thrashes) const;

  ThrashLimits limits_;
  std::map<ProcessId, Suspect> suspects_;
  Persistence reclaim_{{5, 0.01, 10}};
  Persistence recovering_;
  Persistence held_back_{{5, 2.5, 4}};
  Persistence refaulting_;
  Persistence thrashing_;
  Persistence severe_{{10, 10, 10}};
  Persistence critical_{{30, 30, 10}};
  Persistence out_of_space_;
  bool is_known_ = false;       ///< the refault condition of the last window is known
  bool was_short_ = false;      ///< of memory: level 2 or more in the last window, or before R
  std::optional<Level> level_;  ///< nothing before the first window
};

}  // namespace physmem
