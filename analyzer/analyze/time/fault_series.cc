// SPDX-License-Identifier: MIT
#include "analyzer/analyze/time/fault_series.h"

#include <algorithm>
#include <tuple>

namespace physmem {
namespace {

constexpr std::size_t kTop = 3;

std::vector<ProcessWindow> most_faulting(const std::vector<ProcessWindow>& all) {
  std::vector<ProcessWindow> top(std::min(kTop, all.size()));
  std::partial_sort_copy(all.begin(), all.end(), top.begin(), top.end(),
                         [](const ProcessWindow& a, const ProcessWindow& b) {
                           return std::tie(b.majors, a.id) < std::tie(a.majors, b.id);
                         });
  top.erase(
      std::find_if(top.begin(), top.end(), [](const ProcessWindow& p) { return p.majors == 0; }),
      top.end());
  return top;
}

}  // namespace

std::vector<FaultEvent> events_of(const FaultWindow& window, const WindowVerdict& verdict) {
  std::vector<FaultEvent> events;
  const auto add = [&]() -> FaultEvent& {
    return events.emplace_back(FaultEvent{
        window.end, window.has_times, verdict.refault_condition, window.system, {}, {}, {}});
  };
  if (verdict.change) {
    FaultEvent& event = add();
    event.level = verdict.change;
    event.top = most_faulting(window.processes);
  }
  for (const StateChange& change : verdict.processes) add().process = change;
  return events;
}

void FaultSeries::on_window(const FaultWindow& window, const WindowVerdict& verdict) {
  has_times_ = has_times_ && window.has_times;
  FaultWindowRow& row = windows_.emplace_back();
  row.begin = window.begin;
  row.end = window.end;
  row.system = window.system;
  row.refault_condition = verdict.refault_condition;
  row.level = verdict.level;
  for (std::size_t i = 0; i < window.processes.size(); ++i) {
    const ProcessWindow& process = window.processes[i];
    row.minors += process.minors;
    row.majors += process.majors;
    row.cpu_ms += process.cpu_ms;
    add(process, verdict.states[i], window.seconds());
  }
  for (FaultEvent& event : events_of(window, verdict)) events_.push_back(std::move(event));
}

void FaultSeries::add(const ProcessWindow& process, FaultState state, double seconds) {
  const auto [known, is_new] = processes_.try_emplace({order().breaks(), process.id});
  ProcessFaults& sum = known->second;
  if (is_new) sum.first_window = windows_.size() - 1;
  sum.last_window = windows_.size() - 1;
  sum.id = process.id;
  sum.name = process.name;
  sum.minors += process.minors;
  sum.majors += process.majors;
  sum.cpu_ms += process.cpu_ms;
  sum.seconds += process.seconds;
  sum.peak_rate = std::max(sum.peak_rate, process.major_rate());
  sum.worst = std::max(sum.worst, state);
  if (state == FaultState::kThrashing) sum.thrashing_seconds += seconds;
  if (process.majors != 0)
    sum.points.push_back({windows_.size() - 1, process.major_rate(), *process.lifetime_ms()});
}

std::vector<ProcessFaults> FaultSeries::processes() const {
  std::vector<ProcessFaults> all;
  for (const auto& [id, process] : processes_) all.push_back(process);
  std::stable_sort(all.begin(), all.end(), [](const ProcessFaults& a, const ProcessFaults& b) {
    return std::tie(b.majors, b.minors) < std::tie(a.majors, a.minors);
  });
  return all;
}

bool FaultSeries::found_thrashing() const {
  return std::any_of(windows_.begin(), windows_.end(),
                     [](const FaultWindowRow& row) { return row.level >= Level::kThrashing; });
}

}  // namespace physmem
