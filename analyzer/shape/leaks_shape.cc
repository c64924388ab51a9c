// SPDX-License-Identifier: MIT
#include "analyzer/shape/leaks_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analyzer/shape/leak_words.h"
#include "analyzer/shape/ram_leaks_shape.h"
#include "analyzer/shape/series_notes.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

/// Most lines that can be distinguished.
constexpr std::size_t kDrawn = 8;

/// When an ended process was last read: seconds since the start of the series, or the snapshot's
/// number.
double end_of(const LeakSearch& search, const LeakRow& row) {
  return row.time.back() + (search.has_times() ? 0 : 1);
}

std::string end_text(const LeakSearch& search, const LeakRow& row) {
  if (!row.has_ended) return "still growing at the end";
  if (!search.has_times())
    return fmt::format("it ended after snapshot {:.0f}", end_of(search, row));
  return fmt::format("it ended after {:.1f} s", end_of(search, row));
}

/// Nothing for an ended process.
std::optional<double> left_for(const LeakSearch& search, const LeakRow& row, const View& view) {
  return row.has_ended ? std::nullopt : seconds_left(search, row.verdict.fit.slope, view);
}

bool is_same_region(const LeakRow& a, const LeakRow& b) {
  return a.pid == b.pid && a.process == b.process && a.time == b.time && a.region == b.region &&
         a.is_of_file == b.is_of_file;
}

/// The area of the region that grew most.
const LeakRow* fastest_area(const std::vector<LeakRow>& rows, const LeakRow& region) {
  const LeakRow* fastest = nullptr;
  for (const LeakRow& row : rows)
    if (row.is_area && is_same_region(row, region) &&
        (fastest == nullptr || row.verdict.growth > fastest->verdict.growth))
      fastest = &row;
  return fastest;
}

/// Whether its region leaks too and is reported instead.
bool is_reported_with_region(const std::vector<LeakRow>& rows, const LeakRow& area) {
  return area.is_area && std::any_of(rows.begin(), rows.end(), [&](const LeakRow& row) {
           return !row.is_area && row.verdict.is_leak() && is_same_region(row, area);
         });
}

std::string area_text(const LeakRow& area, const View& view) {
  const std::string unit =
      area.unit.empty() ? std::string(name(area.region)) : unit_name(area.unit, view);
  return fmt::format("{} at {:X}", unit, area.start);
}

/// A phrase for the place of the growth.
std::string place(const std::vector<LeakRow>& rows, const LeakRow& row, const View& view) {
  if (row.is_area) return area_text(row, view);
  const LeakRow* area = fastest_area(rows, row);
  if (area != nullptr && area->verdict.growth >= 0.9 * row.verdict.growth)
    return area_text(*area, view);
  return fmt::format("{} in several areas", name(row.region));
}

std::string grounds(const LeakRow& row) {
  std::string text = verdict_grounds(row.verdict);
  if (row.has_ended) text += ", whether it would have been freed is unknown";
  if (row.region == Region::kSharedMemory) text += ", shared memory may have been there before";
  return text;
}

std::string sentence(const LeakSearch& search, const std::vector<LeakRow>& rows, const LeakRow& row,
                     const View& view) {
  std::string text =
      fmt::format("{} {} of {} ({}): {}; {}", row.has_ended ? "Grew until it ended:" : "Leak?",
                  place(rows, row, view), row.process, row.pid,
                  growth_text(search, row.verdict, row.time.back() - row.time.front(), view),
                  end_text(search, row));
  text += left_text(left_for(search, row, view));
  return text +
         fmt::format("; confidence {}: {}", confidence_name(row.verdict.confidence), grounds(row));
}

std::string too_short(const LeakSearch& search) {
  return fmt::format("{} are too short to judge, expected {:.0f} s or more",
                     span_text(search, search.span()), search.min_duration());
}

std::string looked_at(const LeakSearch& search, const std::vector<LeakRow>& rows) {
  const auto judged = std::count_if(rows.begin(), rows.end(), [](const LeakRow& row) {
    return row.verdict.reason != LeakReason::kTooFewSamples;
  });
  std::string text =
      fmt::format("looked at {}: {} time series of regions and areas over {}, {}",
                  counted(search.processes(), "process"), judged, span_text(search, search.span()),
                  counted(search.snapshots(), "snapshot"));
  if (const auto few = rows.size() - static_cast<std::size_t>(judged); few != 0)
    text += fmt::format("; {} in fewer than three snapshots", few);
  const auto brief = std::count_if(rows.begin(), rows.end(), [](const LeakRow& row) {
    return row.verdict.reason == LeakReason::kTooShort;
  });
  if (brief != 0)
    text += fmt::format("; {} over less than {:.0f} s, too short to judge", brief,
                        search.min_duration());
  if (search.ended() != 0)
    text += fmt::format("; {} ended before the last snapshot", counted(search.ended(), "process"));
  if (search.ended_early() != 0)
    text += fmt::format(", {} of them in fewer than three snapshots", search.ended_early());
  return text;
}

std::vector<Cell> cells_of(const LeakSearch& search, const LeakRow& row, const View& view) {
  std::vector<Cell> cells{std::string(row.is_area ? "area" : "region"),
                          row.process,
                          row.pid,
                          std::string(name(row.region)) + (row.is_of_file ? " (file)" : ""),
                          row.is_area ? Cell(unit_name(row.unit, view)) : Cell(),
                          row.is_area ? Cell(row.start) : Cell()};
  const std::vector<Cell> growth =
      growth_cells(row.verdict, row.pages, left_for(search, row, view), view);
  cells.insert(cells.end(), growth.begin(), growth.end());
  cells.push_back(row.has_ended ? Cell(end_of(search, row)) : Cell());
  return cells;
}

std::vector<Column> columns(const LeakSearch& search) {
  std::vector<Column> columns{
      {"Level", Kind::kText},  {"Command", Kind::kText}, {"PID"},
      {"Region", Kind::kText}, {"File", Kind::kText},    {"Start", Kind::kHex}};
  const std::vector<Column> growth = growth_columns(search);
  columns.insert(columns.end(), growth.begin(), growth.end());
  columns.push_back({"Ended after"});
  return columns;
}

/// The rows to draw: regions, and areas whose region does not leak.
std::vector<const LeakRow*> drawn(const std::vector<LeakRow>& rows) {
  std::vector<const LeakRow*> leaks;
  std::vector<const LeakRow*> others;
  for (const LeakRow& row : rows) {
    if (row.verdict.reason == LeakReason::kTooFewSamples) continue;
    if (row.verdict.is_leak() && !is_reported_with_region(rows, row)) leaks.push_back(&row);
    if (!row.verdict.is_leak() && !row.is_area) others.push_back(&row);
  }
  if (!leaks.empty()) return leaks;
  std::stable_sort(others.begin(), others.end(),
                   [](auto* a, auto* b) { return a->verdict.growth > b->verdict.growth; });
  return others;
}

template <class Row>
void add_lines(Series::Panel& panel, const std::string& label, const Row& row) {
  Series::Line measured{label, {}, true};
  for (std::size_t i = 0; i < row.time.size(); ++i)
    measured.points.emplace_back(row.time[i], row.pages[i]);
  panel.lines.push_back(std::move(measured));
  if (!row.verdict.is_leak()) return;
  Series::Line fitted{label};
  fitted.is_fit = true;
  for (const double time : {row.time.front(), row.time.back()})
    fitted.points.emplace_back(time, row.verdict.fit.at(time));
  panel.lines.push_back(std::move(fitted));
}

}  // namespace

Table leaks_table(const LeakSearch& search, const std::vector<LeakRow>& rows, const View& view) {
  Table table{{"leaks", "", columns(search)}, {}};
  const std::vector<Column> more = view.is_full ? verdict_columns(search) : std::vector<Column>();
  table.head.columns.insert(table.head.columns.end(), more.begin(), more.end());
  table.head.spare = spare_growth_columns(search);
  table.head.has_plain_hex = true;
  for (const LeakRow& row : rows) {
    if (!row.verdict.is_leak() && !view.is_full) continue;
    std::vector<Cell>& cells = table.rows.emplace_back(cells_of(search, row, view));
    if (!view.is_full) continue;
    const std::vector<Cell> rest = verdict_cells(row.verdict, view);
    cells.insert(cells.end(), rest.begin(), rest.end());
  }
  return table;
}

std::vector<std::string> leaks_text(const LeakSearch& search, const std::vector<LeakRow>& rows,
                                    const std::vector<RamLeakRow>& ram, const View& view) {
  std::vector<std::string> lines;
  for (const LeakRow& row : rows)
    if (row.verdict.is_leak() && !is_reported_with_region(rows, row))
      lines.push_back(sentence(search, rows, row, view));
  for (const RamLeakRow& row : ram)
    if (row.is_alert()) lines.push_back(ram_leak_sentence(search, row, view));
  if (lines.empty())
    lines.emplace_back(search.without_areas() == search.snapshots()
                           ? "Leaks: unknown, the snapshots list no areas."
                       : search.span() < search.min_duration()
                           ? "Leaks: unknown, " + too_short(search) + "."
                           : "No leaks.");
  for (const RamLeakRow& row : ram)
    if (row.verdict.is_leak() && !row.is_alert())
      lines.push_back(ram_leak_sentence(search, row, view));
  lines.push_back(looked_at(search, rows));
  if (!ram.empty()) lines.push_back(ram_looked_at(search, ram));
  return lines;
}

std::vector<std::string> leaks_missing(const LeakSearch& search) {
  std::vector<std::string> missing = series_notes(search.order());
  if (search.span() < search.min_duration()) missing.push_back("leaks: " + too_short(search));
  if (!search.has_times())
    missing.emplace_back("the snapshots have no times that ascend: rates are pages per snapshot");
  if (search.without_areas() != 0)
    missing.push_back(
        fmt::format("no areas in {} of {}: leaks requires them (collect without --tasks-only)",
                    search.without_areas(), counted(search.snapshots(), "snapshot")));
  return missing;
}

Series leaks_series(const LeakSearch& search, const std::vector<LeakRow>& rows,
                    const std::vector<RamLeakRow>& ram, const View& view) {
  Series series;
  std::vector<const LeakRow*> shown = drawn(rows);
  const bool ram_leaks = std::any_of(ram.begin(), ram.end(),
                                     [](const RamLeakRow& row) { return row.verdict.is_leak(); });
  if (ram_leaks && !shown.empty() && !shown.front()->verdict.is_leak()) shown.clear();
  const bool has_leaks = ram_leaks || (!shown.empty() && shown.front()->verdict.is_leak());
  series.title = has_leaks ? "Memory that grows and does not come back"
                 : search.without_areas() == search.snapshots()
                     ? "Leaks: unknown, the snapshots list no areas"
                     : "No leaks: the memory that grew most";
  series.subtitle = origin(view.header);
  series.x_title = "snapshot";
  if (search.has_times()) set_time_axis(series, view, search.span());
  Series::Panel& panel = series.panels.emplace_back();
  for (std::size_t i = 0; i < std::min(shown.size(), kDrawn); ++i)
    add_lines(panel,
              fmt::format("{} ({}) {}", shown[i]->process, shown[i]->pid, name(shown[i]->region)),
              *shown[i]);
  for (std::size_t i = 0; i < ram.size() && ram[i].verdict.is_leak() && shown.size() + i < kDrawn;
       ++i)
    add_lines(panel, ram_subject_text(ram[i]), ram[i]);
  set_mib_axis(panel, view);
  series.notes = leaks_text(search, rows, ram, view);
  if (has_leaks) series.notes.insert(series.notes.begin(), "dashed: the fitted rate");
  return series;
}

}  // namespace physmem
