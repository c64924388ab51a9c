// SPDX-License-Identifier: MIT
#include "analyzer/shape/leaks_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analyzer/shape/series_notes.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

/// Most lines that can be distinguished.
constexpr std::size_t kDrawn = 8;

std::string reason_name(LeakReason reason) {
  constexpr std::array kNames{
      "leak",      "too few samples", "too short to judge", "of a file",  "small",
      "uncertain", "gives back",      "one step",           "levels off", "moves"};
  return kNames[static_cast<std::size_t>(reason)];
}

std::string confidence_name(Confidence confidence) {
  constexpr std::array kNames{"low", "medium", "high"};
  return kNames[static_cast<std::size_t>(confidence)];
}

/// A number with about four significant digits.
std::string rounded(double value) {
  const double size = std::abs(value);
  if (size < 0.0005) return "0";
  return fmt::format("{:.{}f}", value, size >= 100 ? 0 : size >= 1 ? 1 : 3);
}

std::string time_unit(const LeakSearch& search) {
  return search.has_times() ? "s" : "snapshot";
}

std::string span_text(const LeakSearch& search, double span) {
  if (search.has_times()) return fmt::format("{:.1f} s", span);
  return counted(static_cast<std::uint64_t>(span), "step");
}

std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{:.1f} h", seconds / 3600);
  return fmt::format("{:.0f} days", seconds / 86400);
}

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

/// Seconds until available memory is used up at this rate.
std::optional<double> seconds_left(const LeakSearch& search, const LeakRow& row, const View& view) {
  if (row.has_ended || !search.has_times() || !search.available() || row.verdict.fit.slope <= 0)
    return std::nullopt;
  return static_cast<double>(*search.available()) /
         (row.verdict.fit.slope * static_cast<double>(view.header.page_size.bytes));
}

double kib(double pages, const View& view) {
  return pages * static_cast<double>(view.header.page_size.bytes) / 1024;
}

std::string size_rate(const LeakSearch& search, double slope, const View& view) {
  const double rate = kib(slope, view);
  if (rate >= 1024) return fmt::format("{:.1f} MiB/{}", rate / 1024, time_unit(search));
  return fmt::format("{} KiB/{}", rounded(rate), time_unit(search));
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
      area.unit.empty() ? std::string(name(area.region)) : unit_name(area.unit, view.header);
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

std::string given_back(const LeakVerdict& v) {
  if (v.fall <= 0) return "nothing given back";
  return fmt::format("{:.1f} % given back", 100 * v.fall / v.growth);
}

std::string grounds(const LeakRow& row) {
  const LeakVerdict& v = row.verdict;
  const std::string known =
      v.doubt() < 0.001 ? "better than 0.1 %" : fmt::format("{:.1f} %", 100 * v.doubt());
  std::string text = fmt::format("rate known to {}, {}", known, given_back(v));
  if (v.fit.points <= 4) text += fmt::format(", {} only", counted(v.fit.points, "sample"));
  if (row.has_ended) text += ", whether it would have been freed is unknown";
  if (row.region == Region::kSharedMemory) text += ", shared memory may have been there before";
  return text;
}

std::string sentence(const LeakSearch& search, const std::vector<LeakRow>& rows, const LeakRow& row,
                     const View& view) {
  const LeakVerdict& v = row.verdict;
  std::string text =
      fmt::format("{} {} of {} ({}): {} ± {} pages/{} ({}), {:.0f} pages in {}, {}; {}",
                  row.has_ended ? "Grew until it ended:" : "Leak?", place(rows, row, view),
                  row.process, row.pid, rounded(v.fit.slope), rounded(v.fit.half_width),
                  time_unit(search), size_rate(search, v.fit.slope, view), v.growth,
                  span_text(search, row.time.back() - row.time.front()),
                  counted(v.fit.points, "snapshot"), end_text(search, row));
  if (const auto left = seconds_left(search, row, view))
    text += fmt::format("; available memory lasts {} at that rate", duration(*left));
  return text + fmt::format("; confidence {}: {}", confidence_name(v.confidence), grounds(row));
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
  const LeakVerdict& v = row.verdict;
  const bool has_rate = v.reason != LeakReason::kTooFewSamples;
  const auto known = [&](double value) { return has_rate ? Cell(value) : Cell(); };
  const auto left = seconds_left(search, row, view);
  return {std::string(row.is_area ? "area" : "region"),
          row.process,
          row.pid,
          std::string(name(row.region)) + (row.is_of_file ? " (file)" : ""),
          row.is_area ? Cell(unit_name(row.unit, view.header)) : Cell(),
          row.is_area ? Cell(row.start) : Cell(),
          std::uint64_t{row.pages.size()},
          row.first_pages,
          row.last_pages,
          known(v.fit.slope),
          known(v.fit.half_width),
          known(kib(v.fit.slope, view)),
          v.is_leak() && left ? Cell(*left) : Cell(),
          v.is_leak() ? Cell(confidence_name(v.confidence)) : Cell(),
          row.has_ended ? Cell(end_of(search, row)) : Cell()};
}

std::vector<Column> columns(const LeakSearch& search) {
  const std::string unit = time_unit(search);
  return {{"Level", Kind::kText},
          {"Name", Kind::kText},
          {"PID"},
          {"Region", Kind::kText},
          {"Unit", Kind::kText},
          {"Start", Kind::kHex},
          {"Samples"},
          {"First"},
          {"Last"},
          {"Pages/" + unit, Kind::kNumber, "rate"},
          {"+-", Kind::kNumber, "rate_half_width"},
          {"KiB/" + unit, Kind::kNumber, "rate_kib"},
          {"Full in s", Kind::kNumber, "full_in_s"},
          {"Confidence", Kind::kText},
          {"Ended after"}};
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

void add_lines(Series::Panel& panel, const std::string& label, const LeakRow& row) {
  Series::Line measured{label, {}, true};
  for (std::size_t i = 0; i < row.time.size(); ++i)
    measured.points.emplace_back(row.time[i], row.pages[i]);
  panel.lines.push_back(std::move(measured));
  if (!row.verdict.is_leak()) return;
  Series::Line fitted{label + ", fitted", {}};
  for (const double time : {row.time.front(), row.time.back()})
    fitted.points.emplace_back(time, row.verdict.fit.at(time));
  panel.lines.push_back(std::move(fitted));
}

}  // namespace

Table leaks_table(const LeakSearch& search, const std::vector<LeakRow>& rows, const View& view) {
  Table table{{"leaks", "", columns(search)}, {}};
  if (view.is_full)
    table.head.columns.insert(table.head.columns.end(), {{"Verdict", Kind::kText},
                                                         {"Standard error"},
                                                         {"Largest fall"},
                                                         {"Largest step"},
                                                         {"Late rate"}});
  for (const LeakRow& row : rows) {
    const LeakVerdict& v = row.verdict;
    if (!v.is_leak() && !view.is_full) continue;
    std::vector<Cell>& cells = table.rows.emplace_back(cells_of(search, row, view));
    if (!view.is_full) continue;
    cells.emplace_back(reason_name(v.reason));
    if (v.reason == LeakReason::kTooFewSamples) continue;
    cells.insert(cells.end(), {Cell(v.fit.error), Cell(v.fall), Cell(v.step), Cell(v.late_rate)});
  }
  return table;
}

std::vector<std::string> leaks_text(const LeakSearch& search, const std::vector<LeakRow>& rows,
                                    const View& view) {
  std::vector<std::string> lines;
  for (const LeakRow& row : rows)
    if (row.verdict.is_leak() && !is_reported_with_region(rows, row))
      lines.push_back(sentence(search, rows, row, view));
  if (lines.empty())
    lines.emplace_back(search.without_areas() == search.snapshots()
                           ? "Leaks: unknown, the snapshots list no areas."
                       : search.span() < search.min_duration()
                           ? "Leaks: unknown, " + too_short(search) + "."
                           : "No leaks.");
  lines.push_back(looked_at(search, rows));
  return lines;
}

std::vector<std::string> leaks_missing(const LeakSearch& search) {
  std::vector<std::string> missing = series_notes(search.order());
  if (search.span() < search.min_duration()) missing.push_back("--leaks: " + too_short(search));
  if (!search.has_times())
    missing.emplace_back("the snapshots have no times that ascend: rates are pages per snapshot");
  if (search.without_areas() != 0)
    missing.push_back(
        fmt::format("no areas in {} of {}: --leaks requires them (collect without --tasks-only)",
                    search.without_areas(), counted(search.snapshots(), "snapshot")));
  return missing;
}

Series leaks_series(const LeakSearch& search, const std::vector<LeakRow>& rows, const View& view) {
  Series series;
  const std::vector<const LeakRow*> shown = drawn(rows);
  const bool has_leaks = !shown.empty() && shown.front()->verdict.is_leak();
  series.title = has_leaks ? "Memory that grows and does not come back"
                 : search.without_areas() == search.snapshots()
                     ? "Leaks: unknown, the snapshots list no areas"
                     : "No leaks: the memory that grew most";
  series.subtitle = origin(view.header);
  series.x_title = search.has_times() ? "s since the first snapshot" : "snapshot";
  Series::Panel& panel = series.panels.emplace_back();
  panel.title = fmt::format("pages of {} bytes", view.header.page_size.bytes);
  for (std::size_t i = 0; i < std::min(shown.size(), kDrawn); ++i)
    add_lines(panel,
              fmt::format("{} ({}) {}", shown[i]->process, shown[i]->pid, name(shown[i]->region)),
              *shown[i]);
  series.notes = leaks_text(search, rows, view);
  return series;
}

}  // namespace physmem
