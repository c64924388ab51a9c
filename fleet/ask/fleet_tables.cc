// SPDX-License-Identifier: MIT
#include "fleet/ask/fleet_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzer/shape/leak_words.h"
#include "analyzer/shape/size_cells.h"
#include "analyzer/shape/view.h"
#include "fleet/model/report.h"
#include "program/duration.h"

namespace physmem::fleet {
namespace {

using Kind = Column::Kind;

constexpr double kSecondsOfHour = 3600;

Cell size_cell(const std::optional<std::uint64_t>& bytes) {
  return bytes ? Cell(*bytes) : Cell();
}
std::uint64_t rounded(double bytes) {
  return static_cast<std::uint64_t>(std::llround(bytes));
}
Cell text_cell(const std::string& text) {
  return text.empty() ? Cell() : Cell(text);
}
std::string time_of_second(std::uint64_t second) {
  return utc_text(second * kSecondNs);
}

}  // namespace

std::string shown_unit(const std::string& unit) {
  return unit.empty() ? "NULL" : unit;
}

std::string day_text(std::uint64_t day) {
  return time_of_second(day).substr(0, 10);
}

std::string span_text(const FleetDigest& digest) {
  const TimeSpan& span = digest.span();
  if (!span.first_ns) return "no snapshot";
  return fmt::format("{} of {}, {} to {}", counted(digest.snapshots(), "snapshot"),
                     counted(digest.hosts(), "host"), utc_text(*span.first_ns),
                     utc_text(*span.last_ns));
}

Table hosts_table(const std::vector<HostRow>& rows, std::uint64_t now) {
  Table table{{"fleet-hosts",
               fmt::format("Latest snapshot of {}, the least available memory first",
                           counted(rows.size(), "host")),
               {{"Host", Kind::kText},
                time_column("Time"),
                {"Age s"},
                {"Kernel", Kind::kText},
                {"Release", Kind::kText},
                {"RAM", Kind::kSize},
                {"Available", Kind::kSize},
                {"Available %", Kind::kNumber, "available_percent"},
                {"Processes", Kind::kSize},
                {"Swap", Kind::kSize},
                {"Alerts"},
                {"Machine", Kind::kText},
                {"Archive", Kind::kText}}},
              {}};
  table.head.spare = {"Archive", "Machine", "Release", "Kernel"};
  for (const HostRow& row : rows) {
    const std::uint64_t second = row.time_ns / kSecondNs;
    Cell share;
    if (row.ram && row.available) share = percent(*row.available, *row.ram);
    table.rows.push_back({row.host, utc_text(row.time_ns), now > second ? now - second : 0,
                          text_cell(row.kernel), text_cell(row.release), size_cell(row.ram),
                          size_cell(row.available), share, size_cell(row.processes),
                          size_cell(row.swap_used), row.alerts ? Cell(*row.alerts) : Cell(),
                          row.machine, text_cell(row.archive)});
  }
  return table;
}

Table changes_table(const std::vector<ChangeRow>& rows, const FleetDigest& before,
                    const FleetDigest& after) {
  Table table{{"fleet-changes",
               fmt::format("Files per host in {}; before: {}", span_text(after), span_text(before)),
               {{"File", Kind::kText},
                {"Hosts before"},
                {"Hosts after"},
                {"Before", Kind::kSize},
                {"After", Kind::kSize},
                {"Change", Kind::kSize},
                {"Change %", Kind::kNumber, "change_percent"}}},
              {}};
  for (const ChangeRow& row : rows) {
    const bool is_new = row.before.hosts == 0;
    table.rows.push_back(
        {shown_unit(row.unit), row.before.hosts, row.after.hosts,
         is_new ? Cell() : Cell(rounded(row.before.bytes)),
         row.after.hosts == 0 ? Cell() : Cell(rounded(row.after.bytes)),
         SizeChange{rounded(row.before.bytes), rounded(row.after.bytes)},
         row.before.bytes == 0 ? Cell() : Cell(100 * row.difference() / row.before.bytes)});
  }
  return table;
}

Table trend_table(const std::vector<TrendRow>& rows, const std::string& subject) {
  Table table{{"fleet-trend",
               fmt::format("Physical memory of {} in one snapshot, by day (UTC)", subject),
               {{"Day", Kind::kText},
                {"Hosts"},
                {"Snapshots"},
                {"Min", Kind::kSize},
                {"p50", Kind::kSize},
                {"Mean", Kind::kSize},
                {"p99", Kind::kSize},
                {"Max", Kind::kSize}}},
              {}};
  for (const TrendRow& row : rows)
    table.rows.push_back({day_text(row.day), row.machines, row.snapshots, row.min, row.p50,
                          rounded(row.mean()), row.p99, row.max});
  return table;
}

std::string leaks_title(const GrowthRows& growth) {
  const std::string of = fmt::format("{} series with three snapshots or more", growth.series);
  if (growth.has_all)
    return fmt::format("Memory of processes, by host, command and cgroup: {}, {} grow", of,
                       growth.growing);
  return fmt::format("Memory of processes that grows, by host, command and cgroup: {} of {}",
                     growth.growing, of);
}

Table leaks_table(const GrowthRows& growth) {
  Table table{{"fleet-leaks",
               leaks_title(growth),
               {{"Host", Kind::kText},
                {"Command", Kind::kText},
                {"Cgroup", Kind::kText},
                {"Snapshots"},
                time_column("First"),
                {"Hours"},
                {"Min", Kind::kSize},
                {"Mean", Kind::kSize},
                {"Max", Kind::kSize},
                {"Per hour", Kind::kSize},
                {"Growth", Kind::kSize},
                {"Fit %", Kind::kNumber, "fit_percent"},
                {"Confidence", Kind::kText}}},
              {}};
  if (growth.has_all) table.head.columns.push_back({"Verdict", Kind::kText});
  table.head.columns.push_back({"Machine", Kind::kText});
  table.head.columns.push_back({"Archive", Kind::kText});
  table.head.spare = {"Archive", "Machine", "First", "Min", "Cgroup"};
  for (const GrowthRow& row : growth.rows) {
    std::vector<Cell>& cells = table.rows.emplace_back(std::vector<Cell>{
        row.host, row.name, text_cell(row.cgroup), row.line.samples, time_of_second(row.first),
        row.line.seconds / kSecondsOfHour, row.min, rounded(row.mean), row.max,
        signed_size(row.line.slope * kSecondsOfHour), signed_size(row.line.growth()),
        100 * row.line.fit,
        row.verdict.grows() ? Cell(confidence_name(row.verdict.confidence)) : Cell()});
    if (growth.has_all)
      cells.emplace_back(row.verdict.grows() ? "grows" : reason_name(row.verdict.reason));
    cells.push_back(text_cell(row.machine));
    cells.push_back(text_cell(row.archive));
  }
  return table;
}

std::string missing_numbers(const GapRow& row) {
  std::string text;
  std::uint64_t named = 0;
  for (const auto& [first, last] : row.ranges) {
    if (!text.empty()) text += ", ";
    text += first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
    named += last - first + 1;
  }
  if (named < row.missing) text += fmt::format(" and {} more", row.missing - named);
  return text;
}

Table gaps_table(const std::vector<GapRow>& rows, std::uint64_t machines) {
  Table table{
      {"fleet-gaps",
       rows.empty()
           ? fmt::format("No gaps in the snapshots of {}", counted(machines, "host"))
           : fmt::format("Missing snapshots, by host and boot, of {}", counted(machines, "host")),
       {{"Host", Kind::kText},
        {"Boot", Kind::kText},
        {"Snapshots"},
        {"Missing"},
        {"Missing numbers", Kind::kText},
        {"Gap from", Kind::kText},
        {"Gap to", Kind::kText},
        {"Lost"},
        {"Series"},
        time_column("First"),
        time_column("Last"),
        {"Late s"},
        {"Machine", Kind::kText}}},
      {}};
  table.head.spare = {"Machine", "Boot", "Series", "First", "Last", "Gap to", "Gap from"};
  const auto time = [](const GapRow& row, std::uint64_t ns) {
    return row.ranges.empty() ? Cell() : Cell(utc_text(ns));
  };
  for (const GapRow& row : rows)
    table.rows.push_back({row.host, text_cell(row.boot), row.snapshots, row.missing,
                          text_cell(missing_numbers(row)), time(row, row.before_ns),
                          time(row, row.after_ns), row.lost, row.series, utc_text(row.first_ns),
                          utc_text(row.last_ns), row.late_s ? Cell(*row.late_s) : Cell(),
                          row.machine});
  return table;
}

Table alerts_table(const std::vector<AlertRow>& rows, std::uint64_t snapshots,
                   std::uint64_t machines) {
  const auto open = std::count_if(rows.begin(), rows.end(),
                                  [](const AlertRow& row) { return row.open_hosts != 0; });
  const std::string of = counted(snapshots, "snapshot") + " of " + counted(machines, "host");
  Table table{{"fleet-alerts",
               rows.empty() ? "No alert in " + of
                            : fmt::format("{} in {}, {} still open", counted(rows.size(), "alert"),
                                          of, open),
               {{"File", Kind::kText},
                {"Command", Kind::kText},
                {"Rule", Kind::kText},
                {"Hosts"},
                {"Still open"},
                {"Opened"},
                {"Closed"},
                time_column("First"),
                time_column("Last"),
                {"Last on", Kind::kText}}},
              {}};
  table.head.spare = {"First", "Last on", "Closed", "Last"};
  const auto time = [](std::uint64_t ms) { return ms == 0 ? Cell() : utc_text(ms * 1'000'000); };
  for (const AlertRow& row : rows) {
    const bool is_reported = !row.rule.empty();
    table.rows.push_back({shown_unit(row.unit), is_reported ? row.process : Cell(),
                          text_cell(row.rule), row.hosts, row.open_hosts, row.opened, row.closed,
                          time(row.first_ms), time(row.last_ms), text_cell(row.last_on)});
  }
  return table;
}

Table snapshots_table(const std::vector<KeptRow>& rows, std::uint64_t machines) {
  Table table{{"fleet-snapshots",
               fmt::format("{} in the archive, of {}",
                           rows.empty() ? "No snapshot" : counted(rows.size(), "snapshot"),
                           counted(machines, "host")),
               {{"Host", Kind::kText},
                time_column("Time"),
                {"Alerts"},
                {"Machine", Kind::kText},
                {"Archive", Kind::kText}}},
              {}};
  table.head.spare = {"Machine", "Alerts", "Time", "Host"};  // which the path has
  for (const KeptRow& row : rows)
    table.rows.push_back({row.host, utc_text(row.time_ns), row.alerts ? Cell(*row.alerts) : Cell(),
                          row.machine, row.archive});
  return table;
}

}  // namespace physmem::fleet
