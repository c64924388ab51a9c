// SPDX-License-Identifier: MIT
#include "analyzer/shape/use_history_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "analyzer/shape/series_notes.h"
#include "program/moment.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

/// Lines that can be distinguished in a chart.
constexpr std::size_t kDrawn = 8;

struct MeasureText {
  UseMeasure measure;
  UseColumn column;
  const char* title;
};
constexpr std::array<MeasureText, 5> kMeasures{
    {{UseMeasure::kUss, UseColumn::kUss, "USS"},
     {UseMeasure::kPss, UseColumn::kPss, "PSS"},
     {UseMeasure::kRss, UseColumn::kRss, "RSS"},
     {UseMeasure::kSwap, UseColumn::kSwap, "Swap"},
     {UseMeasure::kVirtual, UseColumn::kVirtual, "VSS"}}};

const char* title_of(UseMeasure measure) {
  return kMeasures[static_cast<std::size_t>(measure)].title;
}

Cell size_cell(float pages) {
  return std::isnan(pages) ? Cell() : Cell(static_cast<double>(pages));
}

std::string user_of(const MemoryUseRow& row, const UseView& use) {
  return row.uid ? use.user(*row.uid) : "unknown";
}

/// What the rows are.
std::vector<Column> columns_of(UseGrouping grouping) {
  using enum UseGrouping;
  switch (grouping) {
    case kProcess:
    case kTree:
      return {{"PID"}, {"Command", Kind::kText}};
    case kProgram:
      return {{"Program", Kind::kText}};
    case kName:
      return {{"Command", Kind::kText}};
    case kUser:
      return {{"User", Kind::kText}};
    case kCgroup:
      return {{"Cgroup", Kind::kText}};
    default:
      return {{"File", Kind::kText}};
  }
}

std::vector<Cell> cells_of(const MemoryUseRow& row, UseGrouping grouping, const UseView& use) {
  using enum UseGrouping;
  switch (grouping) {
    case kProcess:
    case kTree:
      return {row.pid, row.name};
    case kUser:
      return {user_of(row, use)};
    case kCgroup:
      return {row.cgroup};
    default:
      return {row.name};
  }
}

std::string label_of(const MemoryUseRow& row, UseGrouping grouping, const UseView& use) {
  switch (grouping) {
    case UseGrouping::kProcess:
    case UseGrouping::kTree:
      return fmt::format("{} ({})", row.name, row.pid);
    case UseGrouping::kUser:
      return user_of(row, use);
    case UseGrouping::kCgroup:
      return row.cgroup;
    default:
      return row.name;
  }
}

/// The course of a track: each column is a part of the time, and has its highest size in tenths of
/// the track's highest; a blank: it is not there, or unknown.
std::string digits_of(const UseTrack& track, const std::vector<double>& times, std::size_t width) {
  const double end = times.back() - times.front();
  const float highest = track.highest();
  std::vector<float> slots(width, std::nanf(""));
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double part = end > 0 ? (times[i] - times.front()) / end : 0;
    const auto slot =
        std::min(static_cast<std::size_t>(part * static_cast<double>(width)), width - 1);
    slots[slot] = std::fmax(slots[slot], track.at(i));
  }
  std::string digits;
  for (const float size : slots)
    digits += std::isnan(size) ? ' '
              : highest <= 0
                  ? '0'
                  : static_cast<char>('0' + std::min(9, static_cast<int>(10 * size / highest)));
  digits.resize(digits.find_last_not_of(' ') + 1);
  return digits;
}

/// First, lowest, highest and last size. 0 is no lowest size of a track that was not there.
std::vector<Cell> sizes_of(const UseTrack& track) {
  return {size_cell(track.pages.front()), size_cell(track.lowest()), size_cell(track.highest()),
          size_cell(track.pages.back())};
}

/// The rows that are shown, and the others as one.
struct Shown {
  std::vector<const UseTrack*> tracks, others;
};

Shown shown_of(const UseHistory& history, const UseView& use, std::size_t most) {
  Shown shown{history.tracks(), {}};
  if (use.is_reversed) std::reverse(shown.tracks.begin(), shown.tracks.end());
  const std::size_t rows = std::min(shown.tracks.size(), use.top.value_or(most));
  const auto rest = shown.tracks.begin() + static_cast<std::ptrdiff_t>(rows);
  shown.others.assign(rest, shown.tracks.end());
  shown.tracks.erase(rest, shown.tracks.end());
  return shown;
}

std::string_view rows_word(UseGrouping grouping) {
  constexpr std::array<std::string_view, 5> kWords{"process", "command", "user", "cgroup", "file"};
  return kWords[static_cast<std::size_t>(grouping)];
}

void add_line(Series::Panel& panel, std::string label, const UseTrack& track,
              const std::vector<double>& times, const View& view) {
  Series::Line& line = panel.lines.emplace_back();
  line.label = std::move(label);
  line.has_marks = times.size() < 100;
  const double mib = static_cast<double>(view.header.page_size.bytes) / (1 << 20);
  for (std::size_t i = 0; i < times.size(); ++i)
    line.points.emplace_back(times[i], track.at(i) * mib);
}

}  // namespace

std::optional<UseMeasure> measure_of(UseColumn column) {
  for (const MeasureText& text : kMeasures)
    if (text.column == column) return text.measure;
  return std::nullopt;
}

std::vector<std::string> use_history_lines(const UseHistory& history, const View& view) {
  const std::vector<double> times = history.times();
  std::string when;
  if (history.has_times() && view.header.time_ns) {
    const auto end = static_cast<std::int64_t>(*view.header.time_ns / 1'000'000'000);
    const auto begin = end - static_cast<std::int64_t>(times.back() - times.front());
    when = fmt::format(", {} to {}", date_text(begin), date_text(end));
  }
  const std::string rows(rows_word(history.grouping()));
  return {
      fmt::format("{} of {} in {}{}", title_of(history.measure()),
                  counted(history.tracks().size(), rows), counted(times.size(), "snapshot"), when),
      "A digit is the highest size in its time, in tenths of Highest; a blank: not present"};
}

Table use_history_text(const UseHistory& history, const UseView& use, std::size_t width) {
  const UseGrouping grouping = history.grouping();
  const std::vector<double> times = history.times();
  width = std::min(width, times.size());
  Table table{
      {"over-time", fmt::format("{} over time", title_of(history.measure())), columns_of(grouping)},
      {}};
  const std::size_t names = table.head.columns.size();
  table.head.columns.back().is_shortened = true;
  table.head.columns.insert(table.head.columns.end(), {{"First", Kind::kSize},
                                                       {"Lowest", Kind::kSize},
                                                       {"Highest", Kind::kSize},
                                                       {"Last", Kind::kSize},
                                                       {"Over time", Kind::kText}});
  table.head.spare = {"First", "Lowest"};
  const auto add = [&](std::vector<Cell> cells, const UseTrack& track) {
    for (Cell& cell : sizes_of(track)) cells.push_back(std::move(cell));
    cells.emplace_back(digits_of(track, times, width));
    table.rows.push_back(std::move(cells));
  };
  const Shown shown = shown_of(history, use, history.tracks().size());
  for (const UseTrack* const track : shown.tracks) add(cells_of(track->row, grouping, use), *track);
  const auto add_sum = [&](std::string label, const std::vector<const UseTrack*>& of) {
    std::vector<Cell> cells(names);
    cells.back() = std::move(label);
    add(std::move(cells), sum_of(of, times.size()));
  };
  if (!shown.others.empty()) add_sum(fmt::format("{} others", shown.others.size()), shown.others);
  add_sum("total", history.tracks());
  return table;
}

Table use_history_table(const UseHistory& history, const UseView& use) {
  Table table{{"over-time", "Memory over time", {{"Seconds", Kind::kNumber}}}, {}};
  std::vector<Column> columns = columns_of(history.grouping());
  table.head.columns.insert(table.head.columns.end(), columns.begin(), columns.end());
  table.head.columns.push_back({title_of(history.measure()), Kind::kSize});
  const std::vector<double> times = history.times();
  const Shown shown = shown_of(history, use, history.tracks().size());
  for (std::size_t i = 0; i < times.size(); ++i)
    for (const UseTrack* const track : shown.tracks) {
      if (std::isnan(track->at(i))) continue;
      std::vector<Cell> cells{times[i]};
      for (Cell& cell : cells_of(track->row, history.grouping(), use))
        cells.push_back(std::move(cell));
      cells.push_back(size_cell(track->at(i)));
      table.rows.push_back(std::move(cells));
    }
  return table;
}

Series use_history_chart(const UseHistory& history, const UseView& use, const View& view) {
  const std::vector<double> times = history.times();
  Series series;
  series.title = fmt::format("{} over time", title_of(history.measure()));
  series.subtitle = origin(view.header);
  series.x_title = "snapshot";
  if (history.has_times()) set_time_axis(series, view, times.back());
  Series::Panel& panel = series.panels.emplace_back();
  panel.title = "MiB";
  const Shown shown = shown_of(history, use, kDrawn);
  add_line(panel, "total", sum_of(history.tracks(), times.size()), times, view);
  for (const UseTrack* const track : shown.tracks)
    add_line(panel, label_of(track->row, history.grouping(), use), *track, times, view);
  if (!shown.others.empty())
    add_line(panel, fmt::format("{} others", shown.others.size()),
             sum_of(shown.others, times.size()), times, view);
  return series;
}

}  // namespace physmem
