// SPDX-License-Identifier: MIT
#include "analyzer/shape/faults_shape.h"

#include "program/moment.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>

namespace physmem {
namespace {

using Kind = Column::Kind;

Cell maybe(const std::optional<double>& value, double factor = 1) {
  return value ? Cell(*value * factor) : Cell();
}

std::string_view name(RefaultCondition condition) {
  switch (condition) {
    case RefaultCondition::kFalse:
      return "closed";
    case RefaultCondition::kTrue:
      return "open";
    case RefaultCondition::kUnknown:
      break;
  }
  return "unknown";
}

constexpr std::string_view kDate = "2026-11-29";

/// Whole seconds since 1970, as the clock of the machine showed them.
std::optional<std::int64_t> clock_at(const FaultSeries& series, double seconds) {
  if (!series.begin_ns() || !series.has_times()) return std::nullopt;
  return static_cast<std::int64_t>(static_cast<double>(*series.begin_ns()) / 1e9 + seconds);
}

/// With the date after the first day.
std::string time_text(const FaultSeries& series, const FaultEvent& event) {
  if (!event.has_times) return fmt::format("snapshot {:.0f}", event.at + 1);
  std::string seconds = fmt::format("{:7.1f} s", event.at);
  const auto begin = clock_at(series, 0), clock = clock_at(series, event.at);
  if (!begin || !clock) return seconds;
  const std::string date = date_text(*clock).substr(0, kDate.size());
  const bool is_first_day = date_text(*begin).starts_with(date);
  return (is_first_day ? "" : date + " ") + clock_text(*clock) + " " + seconds;
}

/// Seconds in level `least` or above.
double seconds_at(const FaultSeries& series, Level least) {
  double seconds = 0;
  for (const FaultWindowRow& row : series.windows())
    if (row.level >= least) seconds += row.end - row.begin;
  return seconds;
}

/// memory.high is no thrashing, but the first line must not hide it. The last windows of the level
/// have no group, because nothing waits any more.
std::string held_back(const FaultSeries& series) {
  double seconds = 0;
  std::set<std::string> groups;
  for (const FaultWindowRow& row : series.windows()) {
    if (row.level != Level::kHeldBack) continue;
    seconds += row.end - row.begin;
    if (!row.system.held_group.empty()) groups.insert(row.system.held_group);
  }
  if (seconds == 0) return {};
  return ", but tasks " + (groups.size() == 1 ? "of cgroup " + *groups.begin() + " " : "") +
         "were held back" + (series.has_times() ? fmt::format(" for {:.1f} s", seconds) : "");
}

std::string thrashing_processes(const FaultSeries& series) {
  std::string text;
  for (const ProcessFaults& process : series.processes())
    if (process.worst == FaultState::kThrashing)
      text += fmt::format("{}{} ({}) {:.1f} s", text.empty() ? ": " : ", ", process.name,
                          process.id.pid, process.thrashing_seconds);
  return text;
}

}  // namespace

std::string faults_summary(const FaultSeries& series) {
  const auto& windows = series.windows();
  std::string text = counted(series.order().snapshots(), "snapshot");
  if (series.has_times() && !windows.empty())
    text += fmt::format(" in {:.1f} s", windows.back().end);
  if (const auto begin = clock_at(series, 0)) text += " from " + date_text(*begin);
  const bool knows_condition = std::any_of(windows.begin(), windows.end(), [](const auto& row) {
    return row.refault_condition != RefaultCondition::kUnknown;
  });
  const double thrashing = seconds_at(series, Level::kThrashing);
  if (thrashing == 0)
    text += ": no thrashing" + held_back(series);
  else if (series.has_times())
    text += fmt::format(": THRASHING for {:.1f} s", thrashing) + thrashing_processes(series);
  else
    text += ": THRASHING" + thrashing_processes(series);
  return text + (knows_condition ? "" : "; confidence low: refault condition unknown");
}

/// Major faults of the whole system if the snapshots count them, because --pid leaves processes
/// out.
double system_majors(const FaultSeries& series) {
  double majors = 0;
  for (const FaultWindowRow& row : series.windows())
    majors += row.system.majors.value_or(0) * (row.end - row.begin);
  return majors;
}

double per_second(double count, double seconds) {
  return seconds > 0 ? count / seconds : std::numeric_limits<double>::quiet_NaN();
}

TableHead fault_events_head() {
  return {"fault-events",
          "Changes of state and their reasons",
          {{"Time s", Kind::kNumber, "time_s"},
           {"Subject", Kind::kText},
           {"PID"},
           {"From", Kind::kText},
           {"To", Kind::kText},
           {"Condition", Kind::kText, "refault_condition"},
           {"Reason", Kind::kText}}};
}

std::vector<Cell> fault_event_cells(const FaultEvent& event, const ThrashLimits& limits) {
  const std::string condition(name(event.refault_condition));
  const std::string reason = event_sentence(event, limits);
  if (event.level)
    return {event.at,
            std::string("system"),
            Cell(),
            std::string(name(event.level->from)),
            std::string(name(event.level->to)),
            condition,
            reason};
  const StateChange& change = *event.process;
  return {event.at,
          change.process.name,
          change.process.id.pid,
          std::string(name(change.from)),
          std::string(change.is_gone ? "gone" : name(change.to)),
          condition,
          reason};
}

std::vector<std::string> faults_text(const FaultSeries& series) {
  std::vector<std::string> lines{faults_summary(series)};
  for (const FaultEvent& event : series.events())
    lines.push_back(
        fmt::format("{}  {}", time_text(series, event), event_sentence(event, series.limits())));
  return lines;
}

Table faults_table(const FaultSeries& series, std::size_t max_rows) {
  Table table{{"faults",
               "Faults of each process, between the first snapshot and the last",
               {{"Command", Kind::kText},
                {"PID"},
                {"Minor"},
                {"Major"},
                {"CPU ms", Kind::kNumber, "cpu_ms"},
                {"Minor/s", Kind::kNumber, "minor_per_s"},
                {"Major/s", Kind::kNumber, "major_per_s"},
                {"Peak major/s", Kind::kNumber, "peak_major_per_s"},
                {"ms/major", Kind::kNumber, "cpu_ms_per_major"},
                {"Share %", Kind::kNumber, "share_percent"},
                {"Worst", Kind::kText},
                {"Thrashing s", Kind::kNumber, "thrashing_s"}}},
              {}};
  table.head.spare = {"Minor/s", "Peak major/s", "ms/major", "CPU ms", "Minor", "Share %"};
  const std::vector<ProcessFaults> all = series.processes();
  double majors = 0;
  for (const ProcessFaults& process : all) majors += static_cast<double>(process.majors);
  majors = std::max(majors, system_majors(series));
  std::size_t left_out = 0;
  for (const ProcessFaults& p : all) {
    if (p.minors == 0 && p.majors == 0) continue;
    if (table.rows.size() == max_rows) {
      ++left_out;
      continue;
    }
    const double share = per_second(100 * static_cast<double>(p.majors), majors);
    table.rows.push_back({p.name, p.id.pid, p.minors, p.majors, p.cpu_ms,
                          per_second(static_cast<double>(p.minors), p.seconds),
                          per_second(static_cast<double>(p.majors), p.seconds), p.peak_rate,
                          maybe(p.lifetime_ms()), share, std::string(name(p.worst)),
                          p.thrashing_seconds});
  }
  if (left_out != 0)
    table.notes.push_back(
        fmt::format("and {} with fewer faults; --full lists them", counted(left_out, "process")));
  if (table.rows.empty()) table.notes.emplace_back("no process had a fault between the snapshots");
  return table;
}

Table fault_windows_table(const FaultSeries& series) {
  Table table{{"fault-windows",
               "The system between snapshots",
               {{"From s", Kind::kNumber, "from_s"},
                {"To s", Kind::kNumber, "to_s"},
                {"Level", Kind::kText},
                {"Condition", Kind::kText, "refault_condition"},
                {"Minor"},
                {"Major"},
                {"CPU ms", Kind::kNumber, "cpu_ms"},
                {"Refaults/s", Kind::kNumber, "refaults_per_s"},
                {"Refaults % LRU/s", Kind::kNumber, "refaults_percent_of_lru_per_s"},
                {"Scanned/s", Kind::kNumber, "scanned_per_s"},
                {"Groups/s", Kind::kNumber, "group_scanned_per_s"},
                {"Swap in/s", Kind::kNumber, "swapped_in_per_s"},
                {"Swap out/s", Kind::kNumber, "swapped_out_per_s"},
                {"Some %", Kind::kNumber, "some_percent"},
                {"Full %", Kind::kNumber, "full_percent"},
                {"Available %", Kind::kNumber, "available_percent"},
                {"Swap free %", Kind::kNumber, "swap_free_percent"}}},
              {}};
  table.head.spare = {
      "Swap free %", "Refaults % LRU/s", "Some %",     "CPU ms", "Groups/s", "Scanned/s",
      "Minor",       "Condition",        "Swap out/s", "To s"};
  for (const FaultWindowRow& row : series.windows()) {
    const SystemWindow& s = row.system;
    table.rows.push_back(
        {row.begin, row.end, fmt::format("{} {}", figure(row.level), name(row.level)),
         std::string(name(row.refault_condition)), row.minors, row.majors, row.cpu_ms,
         maybe(s.refaults), maybe(s.refault_share, 100), maybe(s.scanned), maybe(s.group_scanned),
         maybe(s.swapped_in), maybe(s.swapped_out), maybe(s.some, 100), maybe(s.full, 100),
         maybe(s.available, 100), maybe(s.swap_free, 100)});
  }
  return table;
}

Table fault_events_table(const FaultSeries& series) {
  Table table{fault_events_head(), {}};
  for (const FaultEvent& event : series.events())
    table.rows.push_back(fault_event_cells(event, series.limits()));
  return table;
}

Table fault_units_table(const std::vector<UnitReuseRow>& units) {
  Table table{{"fault-units",
               "Executable units from snapshot to snapshot, estimated lower bounds",
               {{"File", Kind::kText},
                {"Resident", Kind::kSize},
                {"Lost", Kind::kSize},
                {"Came", Kind::kSize},
                {"Came back", Kind::kSize},
                {"Came back %", Kind::kNumber, "came_back_percent"},
                {"Thrashing", Kind::kText}}},
              {}};
  table.head.spare = {"Came", "Lost"};
  for (const UnitReuseRow& row : units)
    table.rows.push_back({row.unit, row.resident, row.lost, row.came, row.returned,
                          100 * row.ratio(),
                          std::string(row.is_thrashing() ? "executable pages thrashing" : "no")});
  return table;
}

}  // namespace physmem
