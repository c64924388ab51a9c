// SPDX-License-Identifier: MIT
#include "analyzer/cli/map_question.h"

#include <fmt/format.h>

#include "analyzer/shape/map_shape.h"

namespace physmem {
namespace {

/// Limit for pictures, which are held in memory. It is about a thousand A4 pages.
constexpr std::size_t kMaxPictureLines = 40000;

}  // namespace

void VmaQuestion::begin() {
  if (has_begun_) return;
  has_begun_ = true;
  format_ = printer_.begin_answer(Format::kText);
  if (format_ == Format::kCsv || format_ == Format::kJson) printer_.table().begin(vma_map_head());
  if (format_ == Format::kText && view_.is_on_terminal) printer_.lines(map_legend());
  picture_.title = "Physical pages of each process's areas";
}

void VmaQuestion::area(const Process& process, const Area& area) {
  begin();
  if (format_ == Format::kText) {
    if (!in_process_) printer_.map_heading(process_heading(process), 0);
    printer_.map_heading(view_.is_on_terminal ? area_sizes(area, view_) : area_heading(area, view_),
                         1);
  } else if (is_picture(format_)) {
    picture_.blocks.push_back({process_heading(process) + "  " + area_sizes(area, view_), {}});
  }
  in_process_ = true;
}

void VmaQuestion::line(const Process& process, const Area& area, const MapLine& line) {
  if (format_ == Format::kText)
    printer_.map_line(area_line(area, line, view_));
  else if (!is_picture(format_))
    printer_.table().row(vma_map_cells(process, area, line, view_));
  else if (++picture_lines_ <= kMaxPictureLines)
    picture_.blocks.back().lines.push_back(area_line(area, line, view_));
}

void VmaQuestion::process_end(const Process& process, const ProcessUse& use) {
  in_process_ = false;
  if (format_ == Format::kText) {
    printer_.end_map();
    printer_.lines(view_.is_on_terminal ? process_sizes(process, use, view_)
                                        : process_use(process, use));
    printer_.lines({""});
  } else if (is_picture(format_) && !picture_.blocks.empty()) {
    picture_.blocks.back().summary = process_sizes(process, use, view_);
  }
}

void VmaQuestion::answer(Printer& printer, const View&) {
  begin();
  if (format_ == Format::kCsv || format_ == Format::kJson) printer.table().end();
  if (!is_picture(format_)) return;
  if (picture_lines_ > kMaxPictureLines)
    picture_.blocks.push_back(
        {fmt::format("and {} more lines: --pid shows single processes, --text has all of them",
                     picture_lines_ - kMaxPictureLines),
         {}});
  printer.add(std::move(picture_));
}

void UnitsQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  if (format == Format::kText) {
    map_.for_each([&](const UnitSegment& s) { printer.map_heading(segment_heading(s), 0); },
                  [&](const UnitSegment& s, const MapLine& l) {
                    printer.map_line(segment_line(s, l, view));
                  });
    return printer.end_map();
  }
  if (is_picture(format)) {
    PageMap map{"Physical pages of each executable unit, over all processes", {}};
    map_.for_each(
        [&](const UnitSegment& s) {
          map.blocks.push_back({segment_heading(s), {}});
        },
        [&](const UnitSegment& s, const MapLine& l) {
          map.blocks.back().lines.push_back(segment_line(s, l, view));
        });
    printer.add(std::move(map));
    return;
  }
  TableWriter& table = printer.table();
  table.begin(unit_map_head());
  map_.for_each(
      [](const UnitSegment&) {},
      [&](const UnitSegment& s, const MapLine& l) { table.row(unit_map_cells(s, l, view)); });
  table.end();
}

}  // namespace physmem
