// SPDX-License-Identifier: MIT
// Chart of faults over time: processes, CPU time per fault, reclaim, and stalls.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "analyzer/shape/faults_shape.h"
#include "analyzer/shape/series_notes.h"

namespace physmem {
namespace {

/// Most lines in one panel; more could not be distinguished.
constexpr std::size_t kMaxLines = 8;
/// Processes with less than 1/100 of all major faults are left out: their lines would lie on the
/// axis.
constexpr std::uint64_t kMinPart = 100;
constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

using Point = ProcessFaults::Point;

/// The values of a process for each window, at the end of the window. `otherwise` if it has no
/// point.
template <class Value>
Series::Line line_of(const ProcessFaults& process, const FaultSeries& series, double otherwise,
                     Value value) {
  Series::Line line{fmt::format("{} ({})", process.name, process.id.pid), {}};
  auto point = process.points.begin();
  for (std::size_t i = 0; i < series.windows().size(); ++i) {
    const bool is_running = i >= process.first_window && i <= process.last_window;
    const bool has_point = point != process.points.end() && point->window == i;
    const double without = is_running ? otherwise : kGap;
    line.points.emplace_back(series.windows()[i].end, has_point ? value(*point) : without);
    if (has_point) ++point;
  }
  return line;
}

Series::Line line_of(std::string label, const FaultSeries& series,
                     SystemWindow::Rate SystemWindow::*rate, double factor) {
  Series::Line line{std::move(label), {}};
  for (const FaultWindowRow& row : series.windows()) {
    const auto& value = row.system.*rate;
    line.points.emplace_back(row.end, value ? *value * factor : kGap);
  }
  return line;
}

bool is_known(const FaultSeries& series, SystemWindow::Rate SystemWindow::*rate) {
  return std::any_of(series.windows().begin(), series.windows().end(),
                     [&](const FaultWindowRow& row) { return (row.system.*rate).has_value(); });
}

void add_process_panels(Series& picture, const FaultSeries& series) {
  const ThrashLimits& limits = series.limits();
  Series::Panel rates{"major faults/s", {}, {{limits.thrash_rate, "thrashing from here"}}};
  Series::Panel lifetimes{
      "CPU ms per major fault", {}, {{limits.thrash_lifetime_ms, "thrashing below"}}, true};
  std::size_t left_out = 0;
  const std::vector<ProcessFaults> processes = series.processes();
  std::uint64_t majors = 0;
  for (const ProcessFaults& process : processes) majors += process.majors;
  for (const ProcessFaults& process : processes) {
    if (process.majors == 0) break;
    if (rates.lines.size() == kMaxLines || process.majors * kMinPart < majors) {
      ++left_out;
      continue;
    }
    rates.lines.push_back(line_of(process, series, 0, [](const Point& p) { return p.major_rate; }));
    lifetimes.lines.push_back(
        line_of(process, series, kGap, [](const Point& p) { return p.lifetime_ms; }));
  }
  picture.panels.push_back(std::move(rates));
  picture.panels.push_back(std::move(lifetimes));
  if (left_out != 0)
    picture.notes.push_back(
        fmt::format("{} with fewer major faults left out", counted(left_out, "process")));
}

void add_system_panels(Series& picture, const FaultSeries& series) {
  Series::Panel pages{"pages/s", {}};
  const auto add = [&](const char* label, SystemWindow::Rate SystemWindow::*rate) {
    if (is_known(series, rate)) pages.lines.push_back(line_of(label, series, rate, 1));
  };
  add("refaults", &SystemWindow::refaults);
  add("scanned", &SystemWindow::scanned);
  add("swapped in", &SystemWindow::swapped_in);
  add("swapped out", &SystemWindow::swapped_out);
  if (!pages.lines.empty()) picture.panels.push_back(std::move(pages));
  if (!is_known(series, &SystemWindow::full)) return;
  picture.panels.push_back({"stalled, % of the time",
                            {line_of("some tasks", series, &SystemWindow::some, 100),
                             line_of("all tasks", series, &SystemWindow::full, 100)},
                            {}});
}

/// 0 for idle, reclaim and unknown. Of the others, recovering and held back are the lightest.
unsigned severity(Level level) {
  switch (level) {
    case Level::kRecovering:
    case Level::kHeldBack:
      return 1;
    case Level::kRefaulting:
      return 2;
    case Level::kThrashing:
      return 3;
    case Level::kSevere:
      return 4;
    case Level::kCritical:
      return 5;
    default:
      return 0;
  }
}

void add_bands(Series& picture, const FaultSeries& series) {
  for (const FaultWindowRow& row : series.windows()) {
    const std::string label(name(row.level));
    if (!picture.bands.empty() && picture.bands.back().label == label &&
        picture.bands.back().end == row.begin)
      picture.bands.back().end = row.end;
    else
      picture.bands.push_back(
          {row.begin, row.end, label, severity(row.level), figure(row.level).front()});
  }
}

}  // namespace

Series faults_picture(const FaultSeries& series, const View& view) {
  Series picture;
  picture.title = "Faults over time";
  picture.subtitle = origin(view.header);
  picture.notes.push_back(faults_summary(series));
  picture.x_title = "snapshots after the first";
  if (series.has_times() && !series.windows().empty())
    set_time_axis(picture, view, series.windows().back().end);
  add_process_panels(picture, series);
  add_system_panels(picture, series);
  add_bands(picture, series);
  return picture;
}

}  // namespace physmem
