// SPDX-License-Identifier: MIT
#include "top/screen/process_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "program/duration.h"
#include "program/printable.h"
#include "top/screen/fit.h"

namespace physmem::top {
namespace {

constexpr std::size_t kSizeWidth = 7;

Line heading(const std::string& first, std::size_t width) {
  std::string text;
  for (const char* title : {"USS", "PSS", "RSS", "SWAP", "VIRTUAL"})
    text += right_aligned(title, kSizeWidth) + " ";
  return fitted({{Style::kHeading, text + first}}, width);
}

std::string sizes_text(const PageSizes& sizes) {
  std::string text;
  for (const Kib kib : {sizes.uss, sizes.pss, sizes.rss, sizes.swap, sizes.virtual_size})
    text += right_aligned(size_text(kib), kSizeWidth) + " ";
  return text;
}

std::string name_text(const std::string& name, const View& view) {
  const std::size_t used = 5 * (kSizeWidth + 1);
  return shortened(for_terminal(name), view.width > used ? view.width - used : 1);
}

/// A heading of an area is "ADDRESSES AND COUNTS  NAME". Shortens the name.
std::string area_text(const std::string& heading, std::size_t width) {
  const std::size_t name = std::min(heading.rfind("  "), heading.size());
  const std::size_t used = terminal_width(heading.substr(0, name));
  return heading.substr(0, name) + shortened(heading.substr(name), width - std::min(width, used));
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
  lines.push_back({{Style::kTitle,
                    fmt::format("{} ({})", for_terminal(row->process->command), row->process->pid)},
                   {Style::kPlain, "  user " + for_terminal(row->user)}});
  lines.push_back({{Style::kPlain, "cgroup " + for_terminal(row->cgroup)}});
  lines.push_back(
      {{Style::kPlain,
        fmt::format("USS {}  PSS {}  RSS {}  swap {}  minor faults {}/s  major {}/s  "
                    "CPU {} %",
                    size_text(numbers.uss), size_text(numbers.pss), size_text(numbers.rss),
                    size_text(numbers.swap), rate_text(numbers.minors), rate_text(numbers.majors),
                    percent_text(numbers.cpu))}});
}

void add_map(const Details& details, const View& view, std::vector<Line>& lines) {
  lines.push_back(fitted({{Style::kHeading,
                           "MAPS: 64 pages per line; . not resident, 1-9 mappings, # ten or "
                           "more"}},
                         view.width));
  for (const MapRow& row : details.maps) {
    if (row.is_heading)
      lines.push_back({{Style::kGroup, area_text(for_terminal(row.text), view.width)}});
    else if (row.skipped != 0)
      lines.push_back(
          {{Style::kDim, with_signs(fmt::format("{}  … {} pages without a physical page …",
                                                row.text, row.skipped))}});
    else
      lines.push_back({{Style::kDim, row.text + "  "}, {Style::kPlain, row.cells}});
  }
  if (details.are_maps_cut)
    lines.push_back(
        {{Style::kWarning,
          with_signs("… more: physmem-collect --pid PID | physmem-analyze --map-vma")}});
}

void add_details(const Details& details, const Shown& shown, const View& view,
                 std::vector<Line>& lines) {
  if (details.uptime_ns != 0 && shown.now->uptime_ns > details.uptime_ns)
    lines.push_back(
        {{Style::kDim, "pages read " + duration_text(shown.now->uptime_ns - details.uptime_ns) +
                           " before this sample"}});
  lines.push_back(heading("REGION", view.width));
  for (const RegionRow& row : details.regions)
    lines.push_back({{Style::kPlain, sizes_text(row.sizes) + row.name}});
  lines.push_back({{Style::kBold, sizes_text(details.total) + "total"}});
  lines.emplace_back();
  lines.push_back(heading("MAPPED FILE", view.width));
  for (const FileRow& row : details.files)
    lines.push_back({{Style::kPlain, sizes_text(row.sizes) + name_text(row.path, view)}});
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
    lines.push_back({{Style::kWarning, "no pages: " + for_terminal(shown.no_details)}});
  else
    lines.push_back({{Style::kDim, with_signs("reading its pages …")}});
  return lines;
}

}  // namespace physmem::top
