// SPDX-License-Identifier: MIT
// Is the machine thrashing, and who? Decided here and nowhere else, window by window.
//
// A page that is read back soon after it was evicted is a refault: the kernel counts it
// (mm/workingset.c). Refaults while reclaim goes on mean that pages are evicted because others are
// read back. Refaults without reclaim mean that a competitor left and the survivor reads its pages
// back: *recovering*. Reclaim without refaults is memory filling up. So there is a gate: refaults
// at 100 a second, or at 1 % of the pages on LRU lists a second, and pages scanned.
//
// A process thrashes when it has 50 major faults a second or more, and less than 1 ms of processor
// time for each (L < S: Denning and Kahn 1976; S is the time that one fault takes, 1 ms where it is
// not given), while the gate is open. Minor faults decide nothing: the most of them come when a
// program starts.
//
// A control group at its limit reclaims pages of its own, which /proc/vmstat does not count as
// scanned. What tells it from recovering: tasks stall (PSI some), and the LRU lists do not grow by
// what comes back, because as much goes.
//
//   level        what holds
//   0 idle       nothing of the below
//   1 reclaim    pages are scanned (or a control group's tasks stall), few come back
//   R recovering pages come back, none are scanned
//   2 refaulting the gate is open
//   3 thrashing  the gate is open and all tasks stalled for 5 % of the time or more (PSI full); or
//                a process thrashes. Without PSI: the gate is open, and all processes together have
//                less than 1 ms for each major fault
//   4 severe     the gate is open and all stalled for 40 %, for 10 s; without PSI: 10 % of the LRU
//                lists come back in a second, for 10 s
//   5 critical   all stalled for 60 %, for 30 s; or less than 10 % of memory available and of swap
//                free, while pages are scanned
//
// While the system thrashes (level 3 and above), 20 major faults a second are enough for a process
// to be named: many small ones share the blame.
//
// Where nothing else is said, a state is entered when its condition held for half of the last 5 s,
// and left when half of its thresholds were not reached for 10 s. Recovering, and what the gate
// opens, end each other.
//
// Samples without counters of reclaim (version 1, or no G: lines) leave the gate unknown: then
// processes are judged without it. Where no refaults are counted, major faults with swap-outs take
// their place.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/analyze/fault_window.h"
#include "analyzer/analyze/persistence.h"

namespace physmem {

struct ThrashLimits {
  double warn_rate = 20;  ///< major faults a second
  double thrash_rate = 50;
  double warn_lifetime_ms = 10;  ///< L
  double thrash_lifetime_ms = 1;
  double refault_rate = 100;  ///< pages a second
  double refault_share = 0.01;
  double refault_share_severe = 0.10;  ///< where there is no PSI
  double full_thrashing = 0.05;
  double full_severe = 0.40;
  double full_critical = 0.60;
  double space_critical = 0.10;
  double some_of_group = 0.10;    ///< PSI some, where a control group reclaims
  double growth_of_group = 0.50;  ///< of the refaults: below it, pages go as others come

  /// Where it is known how long one major fault takes: S. Warned at an efficiency L / (L + S) below
  /// 0.8, thrashing below 0.5.
  static ThrashLimits of_service_time(double ms);
};

enum class Gate { kUnknown, kClosed, kOpen };

enum class Level {
  kUnknown,
  kIdle,
  kReclaim,
  kRecovering,
  kRefaulting,
  kThrashing,
  kSevere,
  kCritical
};

enum class FaultState { kQuiet, kWarned, kRecovering, kThrashing };

/// A process's state became another one.
struct StateChange {
  FaultState from = FaultState::kQuiet;
  FaultState to = FaultState::kQuiet;
  bool is_gone = false;  ///< it ended
  ProcessWindow
      process;  ///< of the window in which it was noticed; what was known last when it is gone
};

struct LevelChange {
  Level from = Level::kUnknown;
  Level to = Level::kUnknown;
};

struct WindowVerdict {
  Level level = Level::kUnknown;
  Gate gate = Gate::kUnknown;
  std::vector<FaultState> states;  ///< of the window's processes
  std::vector<StateChange> processes;
  std::optional<LevelChange> change;
};

/// `factor` of the limits: 1 to enter, 0.5 to stay.
Gate gate(const SystemWindow& system, const ThrashLimits& limits, double factor = 1);
/// Pages are read back, and nothing is evicted for them.
bool is_reading_back(const SystemWindow& system, const ThrashLimits& limits, double factor = 1);

class ThrashDetector {
 public:
  explicit ThrashDetector(ThrashLimits limits = {}) : limits_(limits) {}

  /// The windows of a series, in their order.
  WindowVerdict judge(const FaultWindow& window);
  const ThrashLimits& limits() const { return limits_; }

 private:
  /// What is remembered of a process that has, or had, major faults.
  struct Suspect {
    Persistence warned;
    Persistence recovering{};
    Persistence thrashing;
    FaultState state = FaultState::kQuiet;
    ProcessWindow last;
    bool is_there = false;
  };

  FaultState judge(const ProcessWindow& process, const FaultWindow& window, WindowVerdict& verdict);
  void update(Suspect& suspect, const ProcessWindow& process, const FaultWindow& window) const;
  void forget_gone(WindowVerdict& verdict);
  bool thrashes(const FaultWindow& window, double factor) const;
  bool is_severe(const SystemWindow& system, double factor) const;
  void update_levels(const FaultWindow& window);
  Level level(bool any_thrashes) const;

  ThrashLimits limits_;
  std::map<ProcessId, Suspect> suspects_;
  Persistence reclaim_{{5, 0.01, 10}};
  Persistence recovering_;
  Persistence refaulting_;
  Persistence thrashing_;
  Persistence severe_{{10, 10, 10}};
  Persistence critical_{{30, 30, 10}};
  Persistence out_of_space_;
  bool is_known_ = false;       ///< the gate of the last window
  std::optional<Level> level_;  ///< nothing before the first window
};

}  // namespace physmem
