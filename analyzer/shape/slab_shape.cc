// SPDX-License-Identifier: MIT
#include "analyzer/shape/slab_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analyzer/shape/first_rows.h"
#include "analyzer/shape/series_notes.h"
#include "analyzer/shape/size_cells.h"

namespace physmem {
namespace {

using Kind = Column::Kind;
using Number = std::optional<std::uint64_t>;

/// Most lines that can be distinguished.
constexpr std::size_t kLines = 8;
constexpr std::size_t kMaxMarks = 50;
constexpr const char* kByTotals =
    "Sizes are from /proc/slabinfo: this snapshot does not show which frames a cache owns.";

Cell cell(const Number& number) {
  return number ? Cell(*number) : Cell();
}

std::string name_of(const SlabRow& row) {
  return row.cache.name.empty() ? "[unknown]" : row.cache.name;
}

/// Sums of several caches. A number that one of them lacks has no sum.
struct SlabSum {
  std::uint64_t pages = 0, first = 0;
  Number slabs = 0, objects = 0, active = 0;
  std::optional<double> used_bytes = 0;

  void add(const SlabRow& row) {
    const auto plus = [](auto& sum, const auto& number) {
      sum = sum && number ? std::optional(*sum + *number) : std::nullopt;
    };
    pages += row.pages;
    first += row.first;
    plus(slabs, row.cache.slabs);
    plus(objects, row.cache.objects);
    plus(active, row.cache.active);
    plus(used_bytes, row.cache.used_bytes());
  }
};

/// Share of the bytes of these pages.
Cell used_percent(const std::optional<double>& used_bytes, std::uint64_t pages, PageSize size) {
  if (!used_bytes || pages == 0) return {};
  return percent(*used_bytes, static_cast<double>(pages) * static_cast<double>(size.bytes));
}

std::vector<Cell> sum_cells(const std::string& name, const SlabSum& sum, PageSize size) {
  return {name, sum.pages,         cell(sum.slabs),  {},
          {},   cell(sum.objects), cell(sum.active), used_percent(sum.used_bytes, sum.pages, size)};
}

/// "(72 smaller caches)".
std::string rest_name(std::size_t caches, std::string_view what) {
  return "(" + counted(caches, std::string(what) + " cache") + ")";
}

void add_source(const SlabUse& slab, Table& table) {
  if (slab.source() == SlabUse::Source::kTotals) table.notes.emplace_back(kByTotals);
}

std::uint64_t change_of(const SlabRow& row) {
  return std::max(row.first, row.pages) - std::min(row.first, row.pages);
}

/// The largest change first.
std::vector<SlabRow> rows_by_change(const SlabUse& slab) {
  std::vector<SlabRow> rows = slab.rows();
  std::stable_sort(rows.begin(), rows.end(),
                   [](const SlabRow& a, const SlabRow& b) { return change_of(a) > change_of(b); });
  return rows;
}

std::string growth_title(const SlabUse& slab) {
  return "Growth of slab caches over " + counted(slab.order().snapshots(), "snapshot");
}

/// Seconds since the first snapshot, if all are known and ascend; otherwise nothing.
std::vector<double> times_of(const SlabUse& slab) {
  std::vector<double> times;
  for (const auto& [number, seconds] : slab.moments()) {
    if (!seconds || (!times.empty() && *seconds <= times.back())) return {};
    times.push_back(*seconds);
  }
  return times;
}

std::vector<Cell> growth_cells(const std::string& name, std::uint64_t first, std::uint64_t last,
                               const std::optional<double>& seconds) {
  const double change = static_cast<double>(last) - static_cast<double>(first);
  return {name, first, last, SizeChange{first, last},
          seconds ? Cell(signed_size(change * 3600 / *seconds)) : Cell()};
}

/// False if the snapshot says nothing of slab caches: a total of 0 would be wrong.
bool is_known(const SlabUse& slab, const View& view) {
  return slab.source() != SlabUse::Source::kNone || view.header.ram == Header::Ram::kAll;
}

}  // namespace

Table slab_table(const SlabUse& slab, const View& view, std::size_t max_rows) {
  Table table{{"slab",
               "Slab caches",
               {{"Cache", Kind::kText},
                {"Size", Kind::kSize},
                {"Slabs"},
                {"Object B", Kind::kNumber, "object_bytes"},
                {"Per slab", Kind::kNumber, "objects_per_slab"},
                {"Objects"},
                {"In use"},
                {"Used %", Kind::kNumber, "used_percent"}}},
              {}};
  table.head.spare = {"Per slab", "Slabs", "Object B", "Objects"};
  const PageSize size = view.header.page_size;
  const std::vector<SlabRow> rows = slab.rows();
  SlabSum all, rest;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [cache, pages, first] = rows[i];
    if (pages == 0) continue;
    all.add(rows[i]);
    if (i >= max_rows)
      rest.add(rows[i]);
    else
      table.rows.push_back({name_of(rows[i]), pages, cell(cache.slabs), cell(cache.bytes()),
                            cell(cache.per_slab()), cell(cache.objects), cell(cache.active),
                            used_percent(cache.used_bytes(), pages, size)});
  }
  if (rest.pages != 0)
    table.rows.push_back(sum_cells(rest_name(rows.size() - max_rows, "smaller"), rest, size));
  if (is_known(slab, view)) table.rows.push_back(sum_cells("total", all, size));
  add_source(slab, table);
  return table;
}

Table slab_growth_table(const SlabUse& slab, const View& view, std::size_t max_rows) {
  Table table{{"slab-growth",
               growth_title(slab),
               {{"Cache", Kind::kText},
                {"First", Kind::kSize},
                {"Last", Kind::kSize},
                {"Change", Kind::kSize},
                {"Per hour", Kind::kSize}}},
              {}};
  const std::vector<SlabRow> rows = rows_by_change(slab);
  const bool has_all = rows.size() <= max_rows;
  SlabSum all, rest;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    all.add(rows[i]);
    if (i >= max_rows || (!has_all && change_of(rows[i]) == 0))
      rest.add(rows[i]);
    else
      table.rows.push_back(
          growth_cells(name_of(rows[i]), rows[i].first, rows[i].pages, slab.seconds()));
  }
  const std::size_t others = rows.size() - table.rows.size();
  if (others != 0)
    table.rows.push_back(
        growth_cells(rest_name(others, "other"), rest.first, rest.pages, slab.seconds()));
  if (is_known(slab, view))
    table.rows.push_back(growth_cells("total", all.first, all.pages, slab.seconds()));
  add_source(slab, table);
  return table;
}

BarChart slab_chart(const SlabUse& slab, const View& view, std::size_t rows) {
  BarChart chart;
  chart.title = "The largest slab caches";
  chart.subtitle = origin(view.header);
  chart.series = {"objects in use", "unused", "use not known"};
  chart.bar_titles = {"pages"};
  chart.page_size = view.header.page_size.bytes;
  std::uint64_t all = 0;
  for (const SlabRow& row : slab.rows()) {
    const auto& [cache, pages, first] = row;
    all += pages;
    BarChart::Group& group = chart.groups.emplace_back();
    group.label = name_of(row);
    if (const auto bytes = cache.used_bytes()) {
      const double used = *bytes / static_cast<double>(chart.page_size);
      const auto whole = std::min(pages, static_cast<std::uint64_t>(std::llround(used)));
      group.bars.push_back({whole, pages - whole, 0});
    } else {
      group.bars.push_back({0, 0, pages});
    }
  }
  chart.subtitle += fmt::format(": {} in all", human_size(all, view.header.page_size));
  keep_first(chart, rows);
  return chart;
}

Series slab_growth_series(const SlabUse& slab, const View& view) {
  Series series;
  series.title = growth_title(slab);
  series.subtitle = origin(view.header);
  const std::vector<double> times = times_of(slab);
  series.x_title = "snapshot";
  if (!times.empty()) set_time_axis(series, view, times.back());
  Series::Panel& panel = series.panels.emplace_back();
  const std::vector<SlabRow> rows = rows_by_change(slab);
  std::size_t drawn = 0;
  for (; drawn < std::min(kLines, rows.size()) && (drawn == 0 || change_of(rows[drawn]) != 0);
       ++drawn) {
    Series::Line& line = panel.lines.emplace_back(Series::Line{name_of(rows[drawn])});
    const std::vector<SlabPoint> points = slab.history(rows[drawn]);
    line.has_marks = points.size() <= kMaxMarks;
    for (std::size_t i = 0; i < points.size(); ++i)
      line.points.emplace_back(times.empty() ? static_cast<double>(points[i].snapshot) : times[i],
                               static_cast<double>(points[i].pages));
  }
  set_mib_axis(panel, view);
  if (drawn < rows.size())
    series.notes.push_back(rest_name(rows.size() - drawn, "other") + ": not drawn");
  if (slab.source() == SlabUse::Source::kTotals) series.notes.emplace_back(kByTotals);
  return series;
}

std::vector<std::string> slab_missing(const SlabUse& slab) {
  std::vector<std::string> missing =
      series_notes(slab.order(), "so a change is not the growth of a cache");
  if (slab.is_mixed())
    missing.emplace_back(
        "the first and the last snapshot count slab pages in different ways (frames, "
        "/proc/slabinfo): slab: small changes mean nothing");
  return missing;
}

}  // namespace physmem
