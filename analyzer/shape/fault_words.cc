// SPDX-License-Identifier: MIT
// Sentences for the results of the thrash detector.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstddef>

#include "analyzer/shape/faults_shape.h"

namespace physmem {
namespace {

constexpr std::size_t kLevels = 9;
constexpr const char* kUntilNow = "it was until a moment ago";

std::size_t index(Level level) {
  return static_cast<std::size_t>(level);
}

std::string_view meaning(Level level) {
  constexpr std::array<std::string_view, kLevels> kMeanings{
      "the snapshots have no counters of reclaim",
      "no pages are reclaimed",
      "pages are reclaimed, few are read back",
      "evicted pages are read back, and nothing is reclaimed for them",
      "tasks wait (memory.high of their cgroup, or compaction); nothing is read back",
      "evicted pages are read back, and others are evicted for them",
      "pages are evicted and read back all the time",
      "most of the time nothing runs but paging",
      "nothing runs but paging, or memory and swap are nearly full",
  };
  return kMeanings[index(level)];
}

std::string percent_text(double part) {
  return fmt::format("{:.1f} %", part * 100);
}

/// The known numbers that determine a level.
std::vector<std::string> number_texts(const SystemWindow& system) {
  std::vector<std::string> texts;
  if (system.refaults) texts.push_back(fmt::format("{:.0f} refaults/s", *system.refaults));
  if (system.scanned) texts.push_back(fmt::format("{:.0f} pages/s scanned", *system.scanned));
  if (system.group_scanned.value_or(0) > 0)
    texts.push_back(fmt::format("{:.0f} by cgroups at their limits", *system.group_scanned));
  if (system.swapped_in && system.swapped_out)
    texts.push_back(
        fmt::format("{:.0f}/s swapped in, {:.0f}/s out", *system.swapped_in, *system.swapped_out));
  if (system.full && system.some)
    texts.push_back(fmt::format("all tasks stalled {} of the time, some {}",
                                percent_text(*system.full), percent_text(*system.some)));
  if (!system.refaults && system.majors)
    texts.push_back(fmt::format("{:.0f} major faults/s", *system.majors));
  return texts;
}

std::string numbers(const SystemWindow& system) {
  return fmt::format("{}", fmt::join(number_texts(system), ", "));
}

std::vector<std::string> notes(const FaultEvent& event) {
  std::vector<std::string> texts;
  if (event.refault_condition == RefaultCondition::kUnknown)
    texts.emplace_back("confidence low: refault condition unknown");
  if (event.refault_condition != RefaultCondition::kUnknown && !event.system.full)
    texts.emplace_back("stalls are not known (no PSI)");
  if (!event.has_times) texts.emplace_back("the snapshots have no times: rates are per snapshot");
  return texts;
}

/// Whether more pages are reclaimed for limits of cgroups than because the machine is short.
/// Without counters of groups, theirs is all that is not of the system.
bool is_of_groups(const SystemWindow& system) {
  return system.scanned && system.group_scanned.value_or(1) > *system.scanned;
}

/// Whether nothing is left of the level, which is left only after some seconds without it.
bool has_ended(Level level, const SystemWindow& system) {
  const bool is_idle = system.scanned == 0.0 && system.group_scanned.value_or(0) == 0;
  switch (level) {
    case Level::kRecovering:
      return system.refaults == 0.0;
    case Level::kHeldBack:
      return system.held_back.value_or(system.some.value_or(1)) == 0;
    case Level::kCritical:
      return is_idle && system.full == 0.0;
    default:
      return false;
  }
}

std::string meaning_of(const FaultEvent& event) {
  const Level level = event.level->to;
  const SystemWindow& system = event.system;
  const bool is_open = event.refault_condition == RefaultCondition::kTrue;
  if (has_ended(level, system)) return kUntilNow;
  if (level == Level::kHeldBack && !system.held_group.empty())
    return fmt::format("tasks of cgroup {} are held back by memory.high; nothing is read back",
                       system.held_group);
  // The refault condition must hold for some seconds before the level becomes refaulting, and be
  // absent for some before the level is left.
  if (level == Level::kReclaim && is_open)
    return "pages are reclaimed and read back, but not for long yet";
  if (level >= Level::kRefaulting && level < Level::kCritical && !is_open) return kUntilNow;
  if (level == Level::kReclaim && system.scanned == 0.0 && system.group_scanned.value_or(0) == 0)
    return "pages were reclaimed until a moment ago";
  std::string text(meaning(level));
  const bool reclaims = level == Level::kReclaim || level >= Level::kRefaulting;
  if (reclaims && is_of_groups(system) && !system.faulting_group.empty())
    text += fmt::format(", for limits of cgroups (most major faults in {})", system.faulting_group);
  return text;
}

std::string max_faults(const std::vector<ProcessWindow>& top) {
  std::string text;
  for (const ProcessWindow& process : top)
    text += fmt::format("{}{} ({}) {:.0f}/s", text.empty() ? "; most major faults: " : ", ",
                        process.name, process.id.pid, process.major_rate());
  return text;
}

std::string level_sentence(const FaultEvent& event) {
  const LevelText text = level_text(event);
  std::string sentence = text.head + ": " + text.meaning;
  if (!text.numbers.empty()) sentence += fmt::format(": {}", fmt::join(text.numbers, ", "));
  if (event.level->to >= Level::kRecovering) sentence += max_faults(event.top);
  return sentence;
}

/// "612 major faults/s (limit 50), 0.58 ms of CPU time for each (limit 1)".
std::string rates(const ProcessWindow& process, double rate_limit, double lifetime_limit) {
  return fmt::format(
      "{:.0f} major faults/s (limit {:g}), {:.2f} ms of CPU time for each (limit {:g}), {:.0f} % "
      "of all",
      process.major_rate(), rate_limit, process.lifetime_ms().value_or(0), lifetime_limit,
      process.share * 100);
}

std::string why_state(const FaultEvent& event, const ThrashLimits& limits) {
  const StateChange& change = *event.process;
  switch (change.to) {
    case FaultState::kThrashing:
      return rates(change.process, limits.thrash_rate, limits.thrash_lifetime_ms) + "; " +
             numbers(event.system);
    case FaultState::kWarned:
      return rates(change.process, limits.warn_rate, limits.warn_lifetime_ms) + "; " +
             numbers(event.system);
    case FaultState::kRecovering:
      return fmt::format(
          "reads its pages back: {:.0f} major faults/s while nothing is reclaimed; {}",
          change.process.major_rate(), numbers(event.system));
    case FaultState::kQuiet:
      break;
  }
  if (change.is_gone) return fmt::format("it ended, {} in its last state", name(change.from));
  return fmt::format(
      "{:.0f} major faults/s; {}", change.process.major_rate(),
      change.is_over ? "nothing is reclaimed any more" : "less than half of the limits for 10 s");
}

std::string state_sentence(const FaultEvent& event, const ThrashLimits& limits) {
  const StateChange& change = *event.process;
  const std::string_view to = change.to == FaultState::kThrashing ? "THRASHING" : name(change.to);
  return fmt::format("{} ({}) {} (was {}): {}", change.process.name, change.process.id.pid, to,
                     name(change.from), why_state(event, limits));
}

}  // namespace

std::string_view name(Level level) {
  constexpr std::array<std::string_view, kLevels> kNames{"unknown",    "idle",      "reclaim",
                                                         "recovering", "held back", "refaulting",
                                                         "thrashing",  "severe",    "critical"};
  return kNames[index(level)];
}

std::string_view figure(Level level) {
  constexpr std::array<std::string_view, kLevels> kFigures{"-", "0", "1", "R", "H",
                                                           "2", "3", "4", "5"};
  return kFigures[index(level)];
}

std::string_view name(FaultState state) {
  constexpr std::array<std::string_view, 4> kNames{"quiet", "warned", "recovering", "thrashing"};
  return kNames[static_cast<std::size_t>(state)];
}

LevelText level_text(const FaultEvent& event) {
  const auto [from, to] = *event.level;
  const std::string was = from == to ? "" : fmt::format(", was {}", name(from));
  return {fmt::format("system {} (level {}{})", name(to), figure(to), was), meaning_of(event),
          number_texts(event.system), notes(event)};
}

std::string event_sentence(const FaultEvent& event, const ThrashLimits& limits) {
  std::string text = event.level ? level_sentence(event) : state_sentence(event, limits);
  for (const std::string& note : notes(event)) text += "; " + note;
  return text;
}

}  // namespace physmem
