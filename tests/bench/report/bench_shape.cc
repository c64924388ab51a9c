// SPDX-License-Identifier: MIT
#include "tests/bench/report/bench_shape.h"

#include <fmt/format.h>

#include <algorithm>

namespace physmem::bench {
namespace {

const char* words(Verdict verdict) {
  switch (verdict) {
    case Verdict::kMet:
      return "yes";
    case Verdict::kMissed:
      return "NO";
    case Verdict::kNotMeasured:
      return "not measured";
  }
  return "";
}

Cell cell(const std::optional<double>& number) {
  return number ? Cell(*number) : Cell();
}

const char* comparison(const Goal& goal) {
  if (!goal.bound) return "";
  return goal.is_least ? "≥" : "≤";
}

std::string machine_line(const BenchRun& run) {
  std::string line;
  for (const auto& [what, value] : run.machine)
    line += fmt::format("{}{}: {}", line.empty() ? "" : "; ", what, value);
  return line;
}

/// The first two values, CPU and date, because a picture has little space.
std::string short_machine_line(const BenchRun& run) {
  std::string line;
  for (std::size_t i = 0; i < std::min<std::size_t>(run.machine.size(), 2); ++i)
    line += (line.empty() ? "" : "; ") + run.machine[i].second;
  return line;
}

}  // namespace

std::string result_line(const BenchRun& run) {
  const auto count = [&](Verdict verdict) {
    return std::count_if(run.goals.begin(), run.goals.end(),
                         [&](const Goal& goal) { return goal.verdict() == verdict; });
  };
  return fmt::format("{} of {} goals met, {} missed, {} not measured", count(Verdict::kMet),
                     run.goals.size(), count(Verdict::kMissed), count(Verdict::kNotMeasured));
}

Table goals_table(const BenchRun& run) {
  using Kind = Column::Kind;
  Table table{.head = {.name = "goals",
                       .title = machine_line(run),
                       .columns = {{"What", Kind::kText},
                                   {"Measured", Kind::kNumber},
                                   {"", Kind::kText, "comparison"},
                                   {"Goal", Kind::kNumber},
                                   {"Unit", Kind::kText},
                                   {"Met", Kind::kText},
                                   {"Remark", Kind::kText}}},
              .rows = {}};
  for (const Goal& goal : run.goals)
    table.rows.push_back({goal.name, cell(goal.measured), comparison(goal), cell(goal.bound),
                          goal.unit, words(goal.verdict()), goal.note});
  table.notes = run.notes;
  table.notes.push_back(result_line(run));
  return table;
}

Series chart_series(const Chart& chart, const BenchRun& run) {
  Series series{.title = chart.title,
                .subtitle = short_machine_line(run),
                .x_title = chart.x_title,
                .has_logarithmic_x = chart.has_logarithmic_x};
  Series::Panel& panel = series.panels.emplace_back(
      Series::Panel{.title = chart.y_title, .is_logarithmic = chart.has_logarithmic_y});
  for (const Point& point : chart.points) {
    auto line = std::find_if(panel.lines.begin(), panel.lines.end(),
                             [&](const Series::Line& l) { return l.label == point.line; });
    if (line == panel.lines.end())
      line = panel.lines.insert(line, Series::Line{.label = point.line, .has_marks = true});
    line->points.emplace_back(point.x, point.y);
  }
  return series;
}

}  // namespace physmem::bench
