// SPDX-License-Identifier: MIT
#include "analyzer/analyze/time/thrash_detector.h"

#include <utility>

namespace physmem {
namespace {

/// Staying in a state requires half of the limits for entering it.
constexpr double kStay = 0.5;
/// A state is over if not even this part of the limits is reached.
constexpr double kOver = 0.1;

/// False if the rate is unknown.
bool at_least(const SystemWindow::Rate& rate, double limit) {
  return rate && *rate >= limit;
}

bool is_below(const SystemWindow::Rate& rate, double limit) {
  return rate && *rate < limit;
}

bool has_refaults(const SystemWindow& system, const ThrashLimits& limits, double factor) {
  return at_least(system.refaults, limits.refault_rate * factor) ||
         at_least(system.refault_share, limits.refault_share * factor);
}

bool group_reclaims(const SystemWindow& system, const ThrashLimits& limits) {
  if (system.group_scanned) return *system.group_scanned > 0;
  return has_refaults(system, limits, kStay) && system.lru_growth &&
         *system.lru_growth < limits.growth_of_group * *system.refaults;
}

/// Whether pages are evicted, by the system or by a cgroup.
bool reclaims(const SystemWindow& system, const ThrashLimits& limits) {
  return (system.scanned && *system.scanned > 0) || group_reclaims(system, limits);
}

/// Without counters of groups this is the only known reason of such stalls but compaction.
bool is_held_back(const SystemWindow& system, const ThrashLimits& limits, double factor) {
  const double some = limits.some_held_back * factor;
  if (system.held_back)
    return *system.held_back >= some &&
           refault_condition(system, limits, factor) != RefaultCondition::kTrue;
  return at_least(system.some, some) && system.scanned && !reclaims(system, limits) &&
         !has_refaults(system, limits, kOver) && !at_least(system.majors, limits.refault_rate) &&
         at_least(system.available, limits.space_critical);
}

/// Nothing is left of reclaim and of pages read back.
bool is_over(const SystemWindow& system, const ThrashLimits& limits) {
  return system.scanned && !reclaims(system, limits) && !has_refaults(system, limits, kOver);
}

bool faults(const ProcessWindow& process, double rate, double lifetime_ms) {
  return process.major_rate() >= rate && process.lifetime_ms().value_or(lifetime_ms) < lifetime_ms;
}

/// Ends one of two states that exclude each other: the one that held for a shorter time recently.
void exclude(Persistence& one, Persistence& other) {
  if (!one.is_active() || !other.is_active()) return;
  (one.held() > other.held() ? other : one).reset();
}

}  // namespace

ThrashLimits ThrashLimits::of_service_time(double ms) {
  ThrashLimits limits;
  limits.thrash_lifetime_ms = ms;
  limits.warn_lifetime_ms = 4 * ms;
  return limits;
}

RefaultCondition refault_condition(const SystemWindow& system, const ThrashLimits& limits,
                                   double factor) {
  if (!system.scanned) return RefaultCondition::kUnknown;
  if (!reclaims(system, limits)) return RefaultCondition::kFalse;
  if (system.refaults)
    return has_refaults(system, limits, factor) ? RefaultCondition::kTrue
                                                : RefaultCondition::kFalse;
  if (!system.majors || !system.swapped_out) return RefaultCondition::kUnknown;
  return *system.majors >= limits.refault_rate * factor && *system.swapped_out > 0
             ? RefaultCondition::kTrue
             : RefaultCondition::kFalse;
}

bool is_reading_back(const SystemWindow& system, const ThrashLimits& limits, double factor) {
  return system.scanned && !reclaims(system, limits) && has_refaults(system, limits, factor);
}

void ThrashDetector::update(Suspect& suspect, const ProcessWindow& process,
                            const FaultWindow& window) const {
  const double seconds = window.seconds();
  const bool may_enter = refault_condition(window.system, limits_) != RefaultCondition::kFalse;
  const bool may_stay =
      refault_condition(window.system, limits_, kStay) != RefaultCondition::kFalse;
  const auto& l = limits_;
  const double rate = thrashing_.is_active() ? l.warn_rate : l.thrash_rate;
  const bool over = is_over(window.system, l);
  suspect.thrashing.add(seconds, may_enter && faults(process, rate, l.thrash_lifetime_ms),
                        may_stay && faults(process, rate * kStay, l.thrash_lifetime_ms / kStay),
                        over);
  suspect.warned.add(seconds, may_enter && faults(process, l.warn_rate, l.warn_lifetime_ms),
                     may_stay && faults(process, l.warn_rate * kStay, l.warn_lifetime_ms / kStay),
                     over);
  suspect.recovering.add(
      seconds,
      was_short_ && is_reading_back(window.system, l) && process.major_rate() >= l.warn_rate,
      is_reading_back(window.system, l, kStay) && process.major_rate() >= l.warn_rate * kStay,
      over);
  exclude(suspect.recovering, suspect.thrashing);
  exclude(suspect.recovering, suspect.warned);
}

FaultState ThrashDetector::judge(const ProcessWindow& process, const FaultWindow& window,
                                 WindowVerdict& verdict) {
  const auto known = suspects_.find(process.id);
  if (known == suspects_.end() && process.majors == 0) return FaultState::kQuiet;
  Suspect& suspect = known == suspects_.end() ? suspects_[process.id] : known->second;
  suspect.is_present = true;
  suspect.last = process;
  update(suspect, process, window);
  const FaultState now = suspect.thrashing.is_active()    ? FaultState::kThrashing
                         : suspect.recovering.is_active() ? FaultState::kRecovering
                         : suspect.warned.is_active()     ? FaultState::kWarned
                                                          : FaultState::kQuiet;
  const FaultState before = std::exchange(suspect.state, now);
  if (before != now)
    verdict.processes.push_back({before, now, false, process, is_over(window.system, limits_)});
  return now;
}

/// Drops processes that ended, and processes without relevant history.
void ThrashDetector::drop_ended(WindowVerdict& verdict) {
  for (auto at = suspects_.begin(); at != suspects_.end();) {
    Suspect& suspect = at->second;
    const bool is_present = std::exchange(suspect.is_present, false);
    const bool is_dull = suspect.state == FaultState::kQuiet && suspect.last.majors == 0 &&
                         suspect.warned.held() == 0 && suspect.recovering.held() == 0;
    if (!is_present && suspect.state != FaultState::kQuiet)
      verdict.processes.push_back({suspect.state, FaultState::kQuiet, true, suspect.last});
    at = is_present && !is_dull ? std::next(at) : suspects_.erase(at);
  }
}

/// Decides by PSI; without PSI, by L of all processes together.
bool ThrashDetector::thrashes(const FaultWindow& window, double factor) const {
  if (window.system.full) return *window.system.full >= limits_.full_thrashing * factor;
  double majors = 0;
  double cpu_ms = 0;
  for (const ProcessWindow& process : window.processes) {
    majors += static_cast<double>(process.majors);
    cpu_ms += process.majors != 0 ? process.cpu_ms : 0;
  }
  return majors >= limits_.thrash_rate * factor * window.seconds() &&
         cpu_ms < majors * limits_.thrash_lifetime_ms / factor;
}

bool ThrashDetector::is_severe(const SystemWindow& system, double factor) const {
  if (system.full) return *system.full >= limits_.full_severe * factor;
  return at_least(system.refault_share, limits_.refault_share_severe * factor);
}

void ThrashDetector::update_levels(const FaultWindow& window) {
  const double seconds = window.seconds();
  const SystemWindow& system = window.system;
  const auto& l = limits_;
  const bool open = refault_condition(system, l) == RefaultCondition::kTrue;
  const bool half = refault_condition(system, l, kStay) == RefaultCondition::kTrue;
  const bool scans = reclaims(system, l);
  reclaim_.add(seconds, scans, scans);
  const bool over = is_over(system, l);
  recovering_.add(seconds, was_short_ && is_reading_back(system, l),
                  is_reading_back(system, l, kStay), over);
  const bool held = is_held_back(system, l, 1);
  held_back_.add(seconds, held, is_held_back(system, l, kStay));
  refaulting_.add(seconds, open, half, over);
  thrashing_.add(seconds, open && thrashes(window, 1), half && thrashes(window, kStay), over);
  severe_.add(seconds, open && is_severe(system, 1), half && is_severe(system, kStay), over);
  const bool pages = !held && (scans || is_below(system.available, l.space_critical));
  critical_.add(seconds, pages && at_least(system.full, l.full_critical),
                pages && at_least(system.full, l.full_critical * kStay), over);
  const auto lacks_space = [&](double part) {
    return scans && is_below(system.available, part) && is_below(system.swap_free, part);
  };
  out_of_space_.add(seconds, lacks_space(l.space_critical), lacks_space(l.space_critical / kStay));
  exclude(recovering_, refaulting_);
  exclude(recovering_, thrashing_);
  exclude(recovering_, severe_);
}

Level ThrashDetector::level(bool any_thrashes) const {
  if (!is_known_) return any_thrashes ? Level::kThrashing : Level::kUnknown;
  if (critical_.is_active() || out_of_space_.is_active()) return Level::kCritical;
  if (severe_.is_active()) return Level::kSevere;
  if (thrashing_.is_active() || any_thrashes) return Level::kThrashing;
  if (refaulting_.is_active()) return Level::kRefaulting;
  if (held_back_.is_active()) return Level::kHeldBack;
  if (recovering_.is_active()) return Level::kRecovering;
  return reclaim_.is_active() ? Level::kReclaim : Level::kIdle;
}

WindowVerdict ThrashDetector::judge(const FaultWindow& window) {
  WindowVerdict verdict;
  bool any_thrashes = false;
  for (const ProcessWindow& process : window.processes) {
    verdict.states.push_back(judge(process, window, verdict));
    any_thrashes = any_thrashes || verdict.states.back() == FaultState::kThrashing;
  }
  drop_ended(verdict);
  verdict.refault_condition = refault_condition(window.system, limits_);
  is_known_ = verdict.refault_condition != RefaultCondition::kUnknown;
  update_levels(window);
  verdict.level = level(any_thrashes);
  if (verdict.level != Level::kRecovering) was_short_ = verdict.level >= Level::kRefaulting;
  // Idle at the start is not a change to report.
  const Level at_first = is_known_ ? Level::kIdle : Level::kUnknown;
  const Level before = std::exchange(level_, verdict.level).value_or(at_first);
  if (before != verdict.level) verdict.change = {before, verdict.level};
  return verdict;
}

}  // namespace physmem
