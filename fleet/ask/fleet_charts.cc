// SPDX-License-Identifier: MIT
#include "fleet/ask/fleet_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analyzer/shape/view.h"
#include "fleet/model/report.h"

namespace physmem::fleet {
namespace {

constexpr double kKib = 1024;

std::uint64_t whole_kib(double bytes) {
  return static_cast<std::uint64_t>(std::llround(bytes / kKib));
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

}  // namespace

Series trend_series(const std::vector<TrendRow>& rows, const std::string& subject) {
  Series series;
  series.title = fmt::format("Physical memory of {} in one snapshot", subject);
  series.x_title = rows.empty() ? "day" : "days since " + day_text(rows.front().day);
  Series::Panel& panel = series.panels.emplace_back();
  panel.title = "MiB";
  constexpr double kMib = kKib * kKib;
  panel.lines = {{"maximum", {}, true}, {"p99", {}, true}, {"mean", {}, true}, {"p50", {}, true}};
  for (const TrendRow& row : rows) {
    const double x = static_cast<double>((row.day - rows.front().day) / kDay);
    const double values[]{static_cast<double>(row.max), static_cast<double>(row.p99), row.mean(),
                          static_cast<double>(row.p50)};
    for (std::size_t i = 0; i < panel.lines.size(); ++i)
      panel.lines[i].points.emplace_back(x, values[i] / kMib);
  }
  return series;
}

BarChart units_chart(const FleetDigest& digest, std::size_t top) {
  BarChart chart = chart_of("What units cost all hosts together", span_text(digest),
                            {"mean on each host, summed"});
  for (const UnitDigestRow& row : digest.rows()) {
    if (!row.sizes || chart.groups.size() == top) break;
    chart.groups.push_back({shown_unit(row.unit), {{whole_kib(row.sizes->fleet)}}});
  }
  return chart;
}

BarChart hosts_chart(const std::vector<HostRow>& rows, std::size_t top) {
  BarChart chart =
      chart_of("Available memory in the latest snapshot of each host",
               counted(rows.size(), "host") + ", the least available share first; at the bars: RAM",
               {"available", "the rest of RAM"});
  for (const HostRow& row : rows) {
    if (chart.groups.size() == top) break;
    if (!row.ram || !row.available) continue;
    const std::uint64_t available = std::min(*row.available, *row.ram);
    chart.groups.push_back({fmt::format("{}, {:.1f} %", row.host, percent(available, *row.ram)),
                            {{available / 1024, (*row.ram - available) / 1024}}});
  }
  return chart;
}

BarChart changes_chart(const std::vector<ChangeRow>& rows, const FleetDigest& before,
                       const FleetDigest& after, std::size_t top) {
  BarChart chart = chart_of("Units per host: what changed",
                            fmt::format("{}; before: {}", span_text(after), span_text(before)),
                            {"unchanged", "less", "more"});
  chart.bar_titles = {"before", "after"};
  for (const ChangeRow& row : rows) {
    if (chart.groups.size() == top) break;
    const std::uint64_t was = whole_kib(row.before.bytes), is = whole_kib(row.after.bytes);
    const std::uint64_t stayed = std::min(was, is);
    chart.groups.push_back(
        {shown_unit(row.unit), {{stayed, was - stayed, 0}, {stayed, 0, is - stayed}}});
  }
  return chart;
}

BarChart leaks_chart(const GrowthRows& growth, std::size_t top) {
  BarChart chart = chart_of(
      "Growth of memory of processes",
      fmt::format("{} of {} series with three snapshots or more grow, by host, name and control "
                  "group",
                  growth.growing, growth.series),
      {"slope of the line × time"});
  for (const GrowthRow& row : growth.rows) {
    if (!row.verdict.grows() || chart.groups.size() == top) break;
    chart.groups.push_back(
        {fmt::format("{} on {}", row.name, row.host), {{whole_kib(row.line.growth())}}});
  }
  return chart;
}

}  // namespace physmem::fleet
