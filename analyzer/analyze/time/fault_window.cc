// SPDX-License-Identifier: MIT
#include "analyzer/analyze/time/fault_window.h"

#include <algorithm>

namespace physmem {
namespace {

using Count = SystemCounters::Count;
using Rate = SystemWindow::Rate;

constexpr double kNsPerSecond = 1e9;
constexpr double kUsPerSecond = 1e6;

/// A counter that decreased was reset (another boot), so it has no rate.
Rate rate(const Count& before, const Count& after, double seconds) {
  if (!before || !after || *after < *before) return {};
  return static_cast<double>(*after - *before) / seconds;
}

Rate part(const Count& of, const Count& whole) {
  if (!of || !whole || *whole == 0) return {};
  return static_cast<double>(*of) / static_cast<double>(*whole);
}

/// At most 1: the counters are read some time after the time of the sample.
Rate part_of_time(const Count& before_us, const Count& after_us, double seconds) {
  const Rate us = rate(before_us, after_us, seconds);
  return us ? Rate(std::min(*us / kUsPerSecond, 1.0)) : Rate();
}

std::optional<double> seconds_between(std::optional<std::uint64_t> before,
                                      std::optional<std::uint64_t> after) {
  if (!before || !after || *after <= *before) return {};
  return static_cast<double>(*after - *before) / kNsPerSecond;
}

/// The kernel counts these pages only together with all others. Its counters of one CPU are
/// not read at one moment, hence not below 0.
Rate scanned_by_groups(const SystemCounters& before, const SystemCounters& after, double seconds) {
  const Rate all = rate(before.all_scanned, after.all_scanned, seconds);
  const Rate system = rate(before.scanned, after.scanned, seconds);
  if (!all || !system) return {};
  const Rate other = rate(before.other_scanned, after.other_scanned, seconds);
  return std::max(*all - *system - other.value_or(0), 0.0);
}

SystemWindow difference(const SystemCounters& before, const SystemCounters& after, double seconds) {
  SystemWindow window;
  window.refaults = rate(before.refaults, after.refaults, seconds);
  window.scanned = rate(before.scanned, after.scanned, seconds);
  window.group_scanned = scanned_by_groups(before, after, seconds);
  window.swapped_in = rate(before.swapped_in, after.swapped_in, seconds);
  window.swapped_out = rate(before.swapped_out, after.swapped_out, seconds);
  window.majors = rate(before.majors, after.majors, seconds);
  window.some = part_of_time(before.some_us, after.some_us, seconds);
  window.full = part_of_time(before.full_us, after.full_us, seconds);
  window.available = part(after.available_kib, after.total_kib);
  window.swap_free =
      after.swap_total_kib == 0U ? Rate(0) : part(after.swap_free_kib, after.swap_total_kib);
  return window;
}

/// Refaults per second as a fraction of the pages on the LRU lists.
Rate share_of_lru(const Rate& refaults, const FaultSample& sample) {
  if (!refaults || sample.system.lru_kib.value_or(0) == 0) return {};
  const double pages = static_cast<double>(*sample.system.lru_kib) * 1024 /
                       static_cast<double>(sample.page_size.bytes);
  return *refaults / pages;
}

Rate growth(const FaultSample& before, const FaultSample& after, double seconds) {
  const Count& old = before.system.lru_kib;
  const Count& now = after.system.lru_kib;
  if (!old || !now) return {};
  const double kib = static_cast<double>(*now) - static_cast<double>(*old);
  return kib * 1024 / static_cast<double>(after.page_size.bytes) / seconds;
}

/// Both are ordered by id.
std::vector<ProcessWindow> difference(const std::vector<ProcessCounters>& before,
                                      const std::vector<ProcessCounters>& after, double seconds) {
  std::vector<ProcessWindow> windows;
  auto old = before.begin();
  for (const ProcessCounters& now : after) {
    while (old != before.end() && old->id < now.id) ++old;
    if (old == before.end() || old->id != now.id) continue;
    if (now.minors < old->minors || now.majors < old->majors) continue;
    // Times of threads are rounded separately, so a sum may decrease by a tick.
    windows.push_back({now.id, now.name, now.cgroup, now.minors - old->minors,
                       now.majors - old->majors, std::max(now.cpu_ms - old->cpu_ms, 0.0),
                       seconds_between(old->at_ns, now.at_ns).value_or(seconds), 0});
  }
  return windows;
}

using Groups = std::map<std::string, GroupCounters>;

void find_held_group(const Groups& before, const Groups& after, double seconds,
                     SystemWindow& window) {
  for (const auto& [path, now] : after) {
    const auto old = before.find(path);
    if (old == before.end()) continue;
    const Rate held = rate(old->second.high, now.high, seconds);
    const Rate some = part_of_time(old->second.some_us, now.some_us, seconds);
    if (!held || !some) continue;
    const double share = *held > 0 ? *some : 0;
    if (window.held_back && share <= *window.held_back) continue;
    window.held_back = share;
    window.held_group = share > 0 ? path : "";
  }
}

std::string faulting_group(const std::vector<ProcessWindow>& processes) {
  std::map<std::string_view, std::uint64_t> majors;
  for (const ProcessWindow& process : processes) majors[process.cgroup] += process.majors;
  const auto most = std::ranges::max_element(majors, {}, [](const auto& g) { return g.second; });
  return most == majors.end() || most->second == 0 ? "" : std::string(most->first);
}

/// Sets each process's share of all major faults of the system if they are counted, because some
/// processes may not be included.
void share_out(FaultWindow& window) {
  double majors = 0;
  for (const ProcessWindow& process : window.processes)
    majors += static_cast<double>(process.majors);
  majors = std::max(majors, window.system.majors.value_or(0) * window.seconds());
  for (ProcessWindow& process : window.processes)
    if (majors > 0) process.share = static_cast<double>(process.majors) / majors;
}

}  // namespace

FaultWindow difference(const FaultSample& before, const FaultSample& after, double begin) {
  FaultWindow window;
  const auto seconds = seconds_between(before.at_ns, after.at_ns);
  window.has_times = seconds.has_value();
  window.begin = begin;
  window.end = begin + seconds.value_or(1);
  window.system = difference(before.system, after.system, window.seconds());
  window.system.refault_share = share_of_lru(window.system.refaults, before);
  window.system.lru_growth = growth(before, after, window.seconds());
  window.processes = difference(before.processes, after.processes, window.seconds());
  find_held_group(before.groups, after.groups, window.seconds(), window.system);
  window.system.faulting_group = faulting_group(window.processes);
  share_out(window);
  return window;
}

}  // namespace physmem
