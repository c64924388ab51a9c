// SPDX-License-Identifier: MIT
#include "analyzer/shape/map_shape.h"

#include "formats/emit/flags.h"

#include <fmt/format.h>

namespace physmem {
namespace {

using Kind = Column::Kind;

/// Some lines represent skipped pages. In rows, these have a separate column.
Cell skipped_cell(const MapLine& line) {
  return line.skipped != 0 ? Cell(line.skipped) : Cell();
}

/// "rw-" of the flags of a VMA, as in /proc/PID/maps.
std::string permissions(std::uint64_t flags) {
  return {(flags & PM_VMA_READ) != 0 ? 'r' : '-', (flags & PM_VMA_WRITE) != 0 ? 'w' : '-',
          (flags & PM_VMA_EXEC) != 0 ? 'x' : '-'};
}

}  // namespace

std::string process_heading(const Process& process) {
  return fmt::format("{} ({})", process.task.comm, process.pid());
}

std::vector<std::string> map_legend() {
  return {"A sign is a page: . not in memory; 1 to 9, mapped so often; #, ten times or",
          "more; 0, the zero page or a device.", ""};
}

std::string area_heading(const Area& area, const View& view) {
  std::string text = fmt::format("{:08X}-{:08X} {} {}, {} resident", area.vma.start, area.vma.last,
                                 flag_symbols(area.marks.flags),
                                 counted(area.virtual_pages, "page"), area.counts.user);
  if (area.counts.swapped != 0) text += fmt::format(", {} swapped", area.counts.swapped);
  return text + "  " + unit_name(area.vma.unit.text(), view);
}

std::string area_sizes(const Area& area, const View& view) {
  const auto size = [&view](std::uint64_t pages) {
    return human_size(pages, view.header.page_size);
  };
  const std::string_view unit = area.vma.unit.text();
  std::string text =
      fmt::format("{:08X}-{:08X} {} {}, {} resident", area.vma.start, area.vma.last,
                  permissions(area.marks.flags), size(area.virtual_pages), size(area.counts.user));
  if (area.counts.swapped != 0) text += fmt::format(", {} swapped", size(area.counts.swapped));
  return text + "  " + (unit.empty() ? "[anon]" : unit_name(unit, view));
}

PageMap::Line area_line(const Area& area, const MapLine& line, const View& view) {
  return {area.vma.start + (line.first_page << view.header.page_size.shift()), line.cells,
          line.skipped};
}

std::vector<std::string> process_sizes(const Process& process, const ProcessUse& use,
                                       const View& view) {
  const auto size = [&view](std::uint64_t pages) {
    return human_size(pages, view.header.page_size);
  };
  std::string text =
      fmt::format("{}: {} in memory, {} of it mapped once, {} more often", process_heading(process),
                  size(use.resident), size(use.single), size(use.shared));
  if (use.swapped != 0) text += fmt::format("; {} swapped", size(use.swapped));
  return {text};
}

std::vector<std::string> process_use(const Process& process, const ProcessUse& use) {
  std::string mappings;
  for (std::size_t n = 1; n < use.by_mappings.size(); ++n)
    mappings += fmt::format("  {}: {}", n < 10 ? std::to_string(n) : "#", use.by_mappings[n]);
  return {fmt::format("{}: {}, {} single usage and {} shared usage, {} swapped",
                      process_heading(process), counted(use.resident, "physical page"), use.single,
                      use.shared, use.swapped),
          "pages by number of mappings" + mappings};
}

TableHead vma_map_head() {
  return {"maps",
          "Areas of each process, 64 pages per row",
          {{"Process", Kind::kText},
           {"PID"},
           {"Start", Kind::kHex},
           {"Last", Kind::kHex},
           {"Flags", Kind::kText},
           {"Unit", Kind::kText},
           {"Address", Kind::kHex},
           {"Map", Kind::kText},
           {"Skipped"}}};
}

std::vector<Cell> vma_map_cells(const Process& process, const Area& area, const MapLine& line,
                                const View& view) {
  return {process.task.comm,
          process.pid(),
          area.vma.start,
          area.vma.last,
          flag_symbols(area.marks.flags),
          unit_name(area.vma.unit.text(), view.header),
          area_line(area, line, view).address,
          line.cells,
          skipped_cell(line)};
}

std::string segment_heading(const UnitSegment& segment) {
  return fmt::format("{} {} {}, {} resident, in {}", segment.unit.text(),
                     flag_symbols(segment.flags), counted(segment.pages, "page"), segment.resident,
                     counted(segment.processes, "process"));
}

PageMap::Line segment_line(const UnitSegment& segment, const MapLine& line, const View& view) {
  return {segment.offset + (line.first_page << view.header.page_size.shift()), line.cells,
          line.skipped};
}

TableHead unit_map_head() {
  return {"unit-maps",
          "Executable units over all processes, 64 pages per row",
          {{"Unit", Kind::kText},
           {"Flags", Kind::kText},
           {"Processes"},
           {"Pages"},
           {"Resident"},
           {"Offset", Kind::kHex},
           {"Map", Kind::kText},
           {"Skipped"}}};
}

std::vector<Cell> unit_map_cells(const UnitSegment& segment, const MapLine& line,
                                 const View& view) {
  return {segment.unit.text(), flag_symbols(segment.flags),
          segment.processes,   segment.pages,
          segment.resident,    segment_line(segment, line, view).address,
          line.cells,          skipped_cell(line)};
}

}  // namespace physmem
