// SPDX-License-Identifier: MIT
#include "fleet/ask/fleet_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "analyzer/shape/view.h"
#include "fleet/model/report.h"

namespace physmem::fleet {
namespace {

constexpr double kBytesOfKib = 1024;

std::uint64_t whole_kib(double bytes) {
  return static_cast<std::uint64_t>(std::llround(bytes / kBytesOfKib));
}

/// Without groups. Values are KiB.
BarChart chart_of(std::string title, std::string subtitle, std::vector<std::string> series) {
  BarChart chart;
  chart.title = std::move(title);
  chart.subtitle = std::move(subtitle);
  chart.series = std::move(series);
  chart.bar_titles = {"physical"};
  chart.page_size = 1024;
  chart.unit = SizeUnit::kMib;
  return chart;
}

/// ", the 30 largest of 89"; empty if all are drawn.
std::string part_text(std::size_t drawn, std::size_t all) {
  return drawn == all ? "" : fmt::format(", the {} largest of {}", drawn, all);
}

/// Before or after a change. A unit that no host has is not known to have 0 bytes.
std::vector<std::uint64_t> side_bar(const ChangeRow::Side& side, std::uint64_t stayed,
                                    bool is_after) {
  if (side.hosts == 0) return {};
  const std::uint64_t rest = whole_kib(side.bytes) - stayed;
  return {stayed, is_after ? 0 : rest, is_after ? rest : 0};
}

/// "web1", or "web1 [3f5c20a1]" with the beginning of the machine id, if several machines of the
/// picture have this name.
class HostNames {
 public:
  template <class Rows>
  explicit HostNames(const Rows& rows) {
    for (const auto& row : rows) machines_[row.host].insert(row.machine);
  }

  template <class Row>
  std::string of(const Row& row) const {
    constexpr std::size_t kShown = 8;  // of the id
    if (machines_.at(row.host).size() == 1) return row.host;
    return fmt::format("{} [{}]", row.host, row.machine.substr(0, kShown));
  }

 private:
  std::map<std::string, std::set<std::string>> machines_;  ///< by name
};

/// "db-server on web1"; with the cgroup, or the end of it, if another series has this label.
class LeakLabels {
 public:
  explicit LeakLabels(const std::vector<GrowthRow>& rows) : hosts_(rows) {
    for (const GrowthRow& row : rows)
      for (const std::string& label : {plain(row), with(row, end_of(row))}) ++series_[label];
  }

  std::string of(const GrowthRow& row) const {
    if (series_.at(plain(row)) == 1) return plain(row);
    const std::string label = with(row, end_of(row));
    return series_.at(label) == 1 ? label : with(row, row.cgroup);
  }

 private:
  std::string plain(const GrowthRow& row) const {
    return fmt::format("{} on {}", row.name, hosts_.of(row));
  }
  static std::string end_of(const GrowthRow& row) {
    return row.cgroup.substr(row.cgroup.rfind('/') + 1);
  }
  std::string with(const GrowthRow& row, const std::string& group) const {
    return fmt::format("{} ({}) on {}", row.name, group.empty() ? row.cgroup : group,
                       hosts_.of(row));
  }

  HostNames hosts_;
  std::map<std::string, std::size_t> series_;  ///< by label
};

}  // namespace

Series trend_series(const std::vector<TrendRow>& rows, const std::string& subject) {
  Series series;
  series.title = fmt::format("Physical memory of {} in one snapshot", subject);
  series.x_title = "day (UTC)";
  series.has_date_x = true;
  Series::Panel& panel = series.panels.emplace_back();
  panel.title = "MiB";
  constexpr double kMib = kBytesOfKib * kBytesOfKib;
  // With fewer than 100 snapshots p99 is the maximum, whose line would hide it.
  const bool is_p99_max =
      std::all_of(rows.begin(), rows.end(), [](const TrendRow& row) { return row.p99 == row.max; });
  panel.lines = {
      {is_p99_max ? "maximum, p99" : "maximum", {}, true}, {"mean", {}, true}, {"p50", {}, true}};
  if (!is_p99_max) panel.lines.push_back({"p99", {}, true});
  for (const TrendRow& row : rows) {
    const auto day = row.day / kDay;
    const auto x = static_cast<double>(day);
    const double values[]{static_cast<double>(row.max), row.mean(), static_cast<double>(row.p50),
                          static_cast<double>(row.p99)};
    for (std::size_t i = 0; i < panel.lines.size(); ++i)
      panel.lines[i].points.emplace_back(x, values[i] / kMib);
  }
  return series;
}

BarChart units_chart(const FleetDigest& digest, std::size_t top) {
  BarChart chart = chart_of("What files cost all hosts together", span_text(digest),
                            {"mean on each host, summed"});
  const std::vector<UnitDigestRow> rows = digest.rows();
  for (const UnitDigestRow& row : rows) {
    if (!row.sizes || chart.groups.size() == top) break;
    chart.groups.push_back({shown_unit(row.unit), {{whole_kib(row.sizes->fleet)}}});
  }
  chart.title += part_text(chart.groups.size(), rows.size());
  return chart;
}

BarChart hosts_chart(const std::vector<HostRow>& rows, std::size_t top) {
  BarChart chart = chart_of("Available memory in the latest snapshot of each host", "",
                            {"available", "the rest of RAM"});
  const HostNames names(rows);
  const auto unknown = static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [](const HostRow& row) { return !row.ram || !row.available; }));
  for (const HostRow& row : rows) {
    if (chart.groups.size() == top) break;
    if (!row.ram || !row.available) continue;
    const std::uint64_t available = std::min(*row.available, *row.ram);
    chart.groups.push_back(
        {fmt::format("{}, {:.1f} %", names.of(row), percent(available, *row.ram)),
         {{available / 1024, (*row.ram - available) / 1024}}});
  }
  const std::size_t drawn = chart.groups.size();
  chart.subtitle = (drawn == rows.size() ? "" : fmt::format("{} of ", drawn)) +
                   counted(rows.size(), "host") +
                   ", the least available share first; at the bars: RAM" +
                   (unknown == 0 ? ""
                                 : fmt::format("; without {} whose available memory is not known",
                                               counted(unknown, "host")));
  return chart;
}

BarChart changes_chart(const std::vector<ChangeRow>& rows, const FleetDigest& before,
                       const FleetDigest& after, std::size_t top) {
  BarChart chart = chart_of("Files per host: what changed",
                            fmt::format("{}; before: {}", span_text(after), span_text(before)),
                            {"unchanged", "less", "more"});
  chart.bar_titles = {"before", "after"};
  for (const ChangeRow& row : rows) {
    if (chart.groups.size() == top) break;
    const std::uint64_t was = whole_kib(row.before.bytes), is = whole_kib(row.after.bytes);
    const std::uint64_t stayed = std::min(was, is);
    chart.groups.push_back(
        {shown_unit(row.unit),
         {side_bar(row.before, stayed, false), side_bar(row.after, stayed, true)}});
  }
  chart.title += part_text(chart.groups.size(), rows.size());
  return chart;
}

BarChart leaks_chart(const GrowthRows& growth, std::size_t top) {
  BarChart chart = chart_of(
      "Growth of memory of processes",
      fmt::format("{} of {} series with three snapshots or more grow, by host, command and "
                  "cgroup",
                  growth.growing, growth.series),
      {"slope of the line × time"});
  std::vector<GrowthRow> drawn;
  for (const GrowthRow& row : growth.rows) {
    if (!row.verdict.grows() || drawn.size() == top) break;
    drawn.push_back(row);
  }
  const LeakLabels labels(drawn);
  for (const GrowthRow& row : drawn)
    chart.groups.push_back({labels.of(row), {{whole_kib(row.line.growth())}}});
  chart.title += part_text(drawn.size(), growth.growing);
  return chart;
}

}  // namespace physmem::fleet
