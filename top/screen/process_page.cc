// SPDX-License-Identifier: MIT
#include "top/screen/process_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "program/duration.h"
#include "program/printable.h"
#include "top/screen/fit.h"
#include "top/screen/parts.h"

namespace physmem::top {
namespace {

constexpr std::size_t kSizeWidth = 7;
constexpr std::size_t kMinName = 20;
constexpr std::size_t kAddressWidth = 14;  ///< with two blanks

struct SizeColumn {
  const char* title;
  Kib PageSizes::*size;
  std::size_t rank;  ///< columns of higher rank are dropped first
};
constexpr std::array kSizeColumns{
    SizeColumn{"USS", &PageSizes::uss, 2}, SizeColumn{"PSS", &PageSizes::pss, 0},
    SizeColumn{"RSS", &PageSizes::rss, 1}, SizeColumn{"SWAP", &PageSizes::swap, 3},
    SizeColumn{"VIRTUAL", &PageSizes::virtual_size, 4}};

/// Number of columns that leave room for a name.
std::size_t size_columns(std::size_t width) {
  std::size_t n = kSizeColumns.size();
  while (n > 1 && n * (kSizeWidth + 1) + kMinName > width) --n;
  return n;
}

Line heading(const std::string& first, std::size_t width) {
  std::string text;
  for (const SizeColumn& column : kSizeColumns)
    if (column.rank < size_columns(width)) text += right_aligned(column.title, kSizeWidth) + " ";
  return fitted({{Style::kHeading, text + first}}, width);
}

std::string sizes_text(const PageSizes& sizes, std::size_t width) {
  std::string text;
  for (const SizeColumn& column : kSizeColumns)
    if (column.rank < size_columns(width))
      text += right_aligned(size_text(sizes.*column.size), kSizeWidth) + " ";
  return text;
}

std::string name_text(const std::string& name, std::size_t width) {
  const std::size_t used = size_columns(width) * (kSizeWidth + 1);
  return isolated(shortened(for_terminal(name), width > used ? width - used : 1));
}

/// A heading of an area is "ADDRESSES AND COUNTS  NAME". Shortens the name, if it has room.
std::vector<std::string> area_lines(const std::string& heading, std::size_t width) {
  const std::size_t name = std::min(heading.rfind("  "), heading.size());
  const std::size_t used = terminal_width(heading.substr(0, name));
  if (used + kMinName / 2 > width) return wrapped(heading, width, 2);
  return {heading.substr(0, name) + isolated(shortened(heading.substr(name), width - used))};
}

const Row* row_of(const Shown& shown, std::uint64_t pid) {
  const auto found = std::find_if(shown.rows.begin(), shown.rows.end(), [=](const Row& row) {
    return row.process != nullptr && row.process->pid == pid;
  });
  return found == shown.rows.end() ? nullptr : &*found;
}

void add_facts(const Shown& shown, const View& view, std::vector<Line>& lines) {
  const Row* row = row_of(shown, view.pid);
  if (row == nullptr) {
    lines.push_back({{Style::kWarning, fmt::format("process {} is not in this sample", view.pid)}});
    return;
  }
  const Numbers& numbers = row->numbers;
  const std::string name =
      fmt::format("{} ({})", isolated(for_terminal(row->process->command)), row->process->pid);
  lines.push_back(
      fitting({{{{Style::kTitle, name}}, 0},
               {{{Style::kPlain, "user " + isolated(for_terminal(row->user))}}, 1, "  "}},
              view.width));
  lines.push_back({{Style::kPlain, shortened("cgroup " + for_terminal(row->cgroup), view.width)}});
  std::vector<Part> parts;
  const auto add = [&](const std::string& text, int rank) {
    parts.push_back({{{Style::kPlain, text}}, rank, "  "});
  };
  add("USS " + size_text(numbers.uss), 1);
  add("PSS " + size_text(numbers.pss), 0);
  add("RSS " + size_text(numbers.rss), 2);
  add("swap " + size_text(numbers.swap), 3);
  add("minor faults " + rate_text(numbers.minors) + "/s", 6);
  add("major " + rate_text(numbers.majors) + "/s", 5);
  add("CPU " + percent_text(numbers.cpu) + " %", 4);
  lines.push_back(fitting(std::move(parts), view.width));
}

void add_wrapped(Style style, const std::string& text, std::size_t width,
                 std::vector<Line>& lines) {
  for (std::string& line : wrapped(text, width)) lines.push_back({{style, std::move(line)}});
}

/// 64 pages per line, or fewer if the screen is narrow.
std::size_t cells_per_line(std::size_t width) {
  std::size_t cells = 64;
  while (cells > 8 && kAddressWidth + cells > width) cells /= 2;
  return cells;
}

void add_map_heading(std::size_t width, std::vector<Line>& lines) {
  const std::string title = fmt::format("MAPS: {} pages per line", cells_per_line(width));
  const std::string signs = ". not resident, 1-9 mappings, # ten or more";
  const bool is_one_line = title.size() + 2 + signs.size() <= width;
  lines.push_back(fitted({{Style::kHeading, is_one_line ? title + "; " + signs : title}}, width));
  if (!is_one_line) add_wrapped(Style::kDim, signs, width, lines);
}

void add_map_row(const MapRow& row, const Details& details, std::size_t width,
                 std::vector<Line>& lines) {
  if (row.is_heading) {
    for (std::string& text : area_lines(for_terminal(row.text), width))
      lines.push_back({{Style::kGroup, std::move(text)}});
  } else if (row.skipped != 0) {
    const std::string pages = with_signs(fmt::format("{}  … {} pages", row.text, row.skipped));
    lines.push_back(fitting({{{{Style::kDim, pages}}, 0},
                             {{{Style::kDim, "without a physical page"}}, 1, " "},
                             {{{Style::kDim, with_signs("…")}}, 2, " "}},
                            width));
  } else {
    const std::size_t cells = cells_per_line(width);
    const std::size_t end = row.cells.find_last_not_of(' ') + 1;  // of the area
    for (std::size_t at = 0; at < end; at += cells)
      lines.push_back(
          {{Style::kDim, fmt::format("{:012X}  ", row.address + at * details.page_bytes)},
           {Style::kPlain, row.cells.substr(at, cells)}});
  }
}

void add_map(const Details& details, const View& view, std::vector<Line>& lines) {
  add_map_heading(view.width, lines);
  for (const MapRow& row : details.maps) add_map_row(row, details, view.width, lines);
  if (details.are_maps_cut)
    add_wrapped(Style::kWarning,
                with_signs("… more: physmem-collect --pid PID | physmem-analyze --map-vma"),
                view.width, lines);
}

void add_details(const Details& details, const Shown& shown, const View& view,
                 std::vector<Line>& lines) {
  if (details.uptime_ns != 0 && shown.now->uptime_ns > details.uptime_ns)
    lines.push_back(
        {{Style::kDim, "pages read " + duration_text(shown.now->uptime_ns - details.uptime_ns) +
                           " before this sample"}});
  lines.push_back(heading("REGION", view.width));
  for (const RegionRow& row : details.regions)
    lines.push_back({{Style::kPlain, sizes_text(row.sizes, view.width) + row.name}});
  lines.push_back({{Style::kBold, sizes_text(details.total, view.width) + "total"}});
  lines.emplace_back();
  lines.push_back(heading("MAPPED FILE", view.width));
  for (const FileRow& row : details.files)
    lines.push_back(
        {{Style::kPlain, sizes_text(row.sizes, view.width) + name_text(row.path, view.width)}});
  lines.emplace_back();
  add_map(details, view, lines);
}

}  // namespace

std::vector<Line> process_lines(const Shown& shown, const View& view) {
  std::vector<Line> lines;
  add_facts(shown, view, lines);
  lines.emplace_back();
  if (shown.details && shown.details->pid == view.pid)
    add_details(*shown.details, shown, view, lines);
  else if (!shown.no_details.empty())
    add_wrapped(Style::kWarning, "no pages: " + for_terminal(shown.no_details), view.width, lines);
  else
    lines.push_back({{Style::kDim, with_signs("reading its pages …")}});
  return lines;
}

}  // namespace physmem::top
