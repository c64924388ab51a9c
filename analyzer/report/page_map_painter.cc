// SPDX-License-Identifier: MIT
#include "analyzer/report/page_map_painter.h"

#include <fmt/format.h>

#include <algorithm>

#include "program/printable.h"

namespace physmem {
namespace {

constexpr Font kBlockFont{.size = 9, .bold = true};
constexpr Font kPageAddressFont{.size = 8, .monospace = true};
constexpr Font kSummaryFont{.size = 8.5};
constexpr Font kSkippedFont{.size = 8, .italic = true};
constexpr const char* kHowToRead =
    "One square is one page of virtual memory, 64 per line; its number counts the "
    "mappings of the physical page.";
constexpr const char* kHowToReadFiles =
    "One square is one page of the file, 64 per line; its number counts the mappings of the page.";
constexpr std::size_t kPagesInLine = 64;
constexpr std::size_t kPagesInGroup = 16;  // followed by a small gap, for counting
constexpr double kPageGroupSpace = 3;
constexpr double kMaxPitch = 10.6;
constexpr double kPageGap = 0.9;
constexpr double kDigitRoom = 7;     // minimum width of a cell with its digit
constexpr double kHeadingSpace = 9;  // above each block except the first
constexpr double kMapNoteHeight = 18;
constexpr std::size_t kRamp = kMappingColours.size();

/// After the ramp: two kinds of cells that are only outlined.
constexpr std::size_t kEmptyStep = kRamp;
constexpr std::size_t kUncountedStep = kRamp + 1;

/// The step of the ramp for a cell's character: '1' is 0, '#' the last.
std::size_t ramp_step(char cell) {
  if (cell == '0') return kUncountedStep;
  if (cell >= '1' && cell <= '9') return static_cast<std::size_t>(cell - '1');
  return cell == '#' ? kRamp - 1 : kEmptyStep;
}

char ramp_character(std::size_t step) {
  return step == kRamp - 1 ? '#' : static_cast<char>('1' + step);
}

/// What cells of a map mean that are only outlined.
struct OutlineWords {
  const char* empty;      ///< '.'
  const char* uncounted;  ///< '0'
};

OutlineWords outline_words(const PageMap& map) {
  return map.is_of_files ? OutlineWords{"not in the cache", "cached, mapped by no process"}
                         : OutlineWords{"no physical page", "zero page or device"};
}

std::string cell_words(char cell, const OutlineWords& outlines) {
  if (cell == '0') return outlines.uncounted;
  if (cell == '1') return "mapped once";
  if (cell == '#') return "mapped 10 times or more";
  return cell >= '2' && cell <= '9' ? fmt::format("mapped {} times", cell) : outlines.empty;
}

/// A page that is cached and not mapped is a page like others, so it has a colour.
Colour uncounted_fill(const PageMap& map) {
  return map.is_of_files ? kUnmappedCell : kPaper;
}

std::string how_to_read(const PageMap& map) {
  return map.is_of_files ? kHowToReadFiles : kHowToRead;
}

std::vector<LegendItem> map_legend(const PageMap& map) {
  const OutlineWords outlines = outline_words(map);
  std::vector<LegendItem> items = {{outlines.empty, kPaper, kEmptyCellLine, '.'},
                                   {outlines.uncounted, uncounted_fill(map), kQuietInk, '0'}};
  for (std::size_t step = 0; step < kRamp; ++step) {
    const char mark = ramp_character(step);
    const std::string label = mark == '1'   ? "mapped once"
                              : mark == '9' ? "2 to 9 times"
                              : mark == '#' ? "10 times or more"
                                            : "";
    items.push_back({label, kMappingColours[step], kMappingColours[step], mark});
  }
  return items;
}

/// How many full lines with the same cells follow without a gap.
std::size_t equal_lines_after(const std::vector<PageMap::Line>& lines, std::size_t first) {
  const PageMap::Line& line = lines[first];
  std::size_t next = first + 1;
  const bool is_full = line.cells.size() == kPagesInLine && line.skipped == 0;
  if (!is_full || next == lines.size()) return 0;
  const std::uint64_t step = lines[next].address - line.address;
  while (next < lines.size() && lines[next].skipped == 0 && lines[next].cells == line.cells &&
         lines[next].address - lines[next - 1].address == step)
    ++next;
  return next - first - 1;
}

}  // namespace

PageMapPainter::PageMapPainter(const PageMap& map, const Room& room, Canvas& ruler)
    : map_(map),
      room_(room),
      heading_(map.title, map.subtitle.empty() ? how_to_read(map) : map.subtitle, map_legend(map),
               room.width, ruler) {
  measure_columns(ruler);
  start_sheet();
  place_blocks();
}

void PageMapPainter::measure_columns(Canvas& ruler) {
  std::uint64_t last = 0;
  for (const PageMap::Block& block : map_.blocks)
    for (const PageMap::Line& line : block.lines) last = std::max(last, line.address);
  address_digits_ = static_cast<int>(std::max<std::size_t>(fmt::formatted_size("{:X}", last), 8));
  left_ =
      ruler.width(std::string(static_cast<std::size_t>(address_digits_), '0'), kPageAddressFont) +
      10;
  constexpr std::size_t kSpaces = kPagesInLine / kPagesInGroup - 1;
  const double spaces = static_cast<double>(kSpaces) * kPageGroupSpace;
  pitch_ = std::min((room_.width - left_ - spaces) / kPagesInLine, kMaxPitch);
}

void PageMapPainter::start_sheet() {
  sheets_.push_back({});
  sheets_.back().bottom = heading_.height() + 6;
}

bool PageMapPainter::is_full(double more) const {
  return sheets_.back().bottom + more > room_.height;
}

void PageMapPainter::place(Kind kind, std::size_t block, std::size_t index, std::size_t lines) {
  if (room_.is_one_picture() && placed_ >= kMaxLinesInPicture) {
    left_out_ += lines;
    return;
  }
  const bool is_heading = kind == Kind::kHeading || kind == Kind::kContinued;
  const double height = is_heading ? 15 : kind == Kind::kCells ? pitch_ + 0.6 : 12;
  // Keeps a heading together with two lines, so that it is not alone at the bottom of a page.
  if (is_full(is_heading ? height + kHeadingSpace + 24 : height) && !sheets_.back().rows.empty()) {
    start_sheet();
    if (!is_heading) place(Kind::kContinued, block, 0);
  }
  Sheet& sheet = sheets_.back();
  if (is_heading && !sheet.rows.empty()) sheet.bottom += kHeadingSpace;
  sheet.rows.push_back({kind, block, index, sheet.bottom, lines});
  sheet.bottom += height;
  ++placed_;
}

void PageMapPainter::place_blocks() {
  for (std::size_t block = 0; block < map_.blocks.size(); ++block) {
    const auto& [heading, lines, summary] = map_.blocks[block];
    place(Kind::kHeading, block, 0);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      place(lines[i].skipped == 0 ? Kind::kCells : Kind::kSkipped, block, i);
      const std::size_t equal = room_.is_one_picture() ? equal_lines_after(lines, i) : 0;
      if (equal < 2) continue;
      place(Kind::kRepeated, block, i + 1, equal);
      i += equal;
    }
    for (std::size_t i = 0; i < summary.size(); ++i) place(Kind::kSummary, block, i);
  }
}

double PageMapPainter::height(std::size_t sheet) const {
  const bool has_note = map_.blocks.empty() || left_out_ > 0;
  return sheets_[sheet].bottom + (has_note ? kMapNoteHeight : 0);
}

void PageMapPainter::draw(Canvas& canvas, std::size_t sheet) const {
  heading_.draw(canvas, {0, 0});
  for (const Row& row : sheets_[sheet].rows) draw_row(canvas, row);
  const Point below{0, sheets_[sheet].bottom + kNoteFont.size + 3};
  if (map_.blocks.empty()) canvas.text(below, "nothing to show", kNoteFont, kQuietInk);
  if (left_out_ > 0)
    canvas.text(below, fmt::format("and {} more lines", left_out_), kNoteFont, kQuietInk);
}

void PageMapPainter::draw_row(Canvas& canvas, const Row& row) const {
  const PageMap::Block& block = map_.blocks[row.block];
  switch (row.kind) {
    case Kind::kHeading:
    case Kind::kContinued: {
      const std::string suffix = row.kind == Kind::kContinued ? " (continued)" : "";
      const double room = room_.width - canvas.width(suffix, kBlockFont);
      canvas.text({0, row.y + 10}, canvas.fitted(block.heading, kBlockFont, room) + suffix,
                  kBlockFont, kInk);
      break;
    }
    case Kind::kCells:
      draw_address(canvas, block.lines[row.index], row.y);
      draw_cells(canvas, block.lines[row.index], row.y);
      break;
    case Kind::kRepeated:
      draw_address(canvas, block.lines[row.index], row.y);
      canvas.text({left_, row.y + 8.5}, fmt::format("… {} more lines like this", row.lines),
                  kSkippedFont, kQuietInk);
      break;
    case Kind::kSkipped: {
      const PageMap::Line& line = block.lines[row.index];
      draw_address(canvas, line, row.y);
      canvas.text({left_, row.y + 8.5},
                  line.cells.empty()
                      ? fmt::format("… {} without a physical page …", counted(line.skipped, "page"))
                      : fmt::format("… {} more pages like these …", line.skipped),
                  kSkippedFont, kQuietInk);
      break;
    }
    case Kind::kSummary:
      canvas.text({0, row.y + 10},
                  canvas.fitted(block.summary[row.index], kSummaryFont, room_.width), kSummaryFont,
                  kInk);
      break;
  }
}

void PageMapPainter::draw_address(Canvas& canvas, const PageMap::Line& line, double y) const {
  canvas.text({0, y + 8}, fmt::format("{:0{}X}", line.address, address_digits_), kPageAddressFont,
              kQuietInk);
}

double PageMapPainter::cell_x(std::size_t cell) const {
  const std::size_t groups_before = cell / kPagesInGroup;
  return left_ + static_cast<double>(cell) * pitch_ +
         static_cast<double>(groups_before) * kPageGroupSpace;
}

/// Draws a run of equal cells as one, with one tooltip.
void PageMapPainter::draw_cells(Canvas& canvas, const PageMap::Line& line, double y) const {
  const std::size_t count = std::min(line.cells.size(), kPagesInLine);
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    end = std::min(line.cells.find_first_not_of(line.cells[begin], begin), count);
    const std::size_t step = ramp_step(line.cells[begin]);
    if (step == kEmptyStep && line.cells[begin] != '.') continue;
    const Tooltip tooltip(canvas,
                          fmt::format("{:X}, cells {} to {}: {}", line.address, begin + 1, end,
                                      cell_words(line.cells[begin], outline_words(map_))));
    draw_run(canvas, step, begin, end, y);
  }
}

void PageMapPainter::draw_run(Canvas& canvas, std::size_t step, std::size_t begin, std::size_t end,
                              double y) const {
  const double side = pitch_ - kPageGap;
  std::vector<Rect> squares;
  std::vector<Point> centres;
  for (std::size_t i = begin; i < end; ++i) {
    squares.push_back({cell_x(i), y, side, side});
    centres.push_back({cell_x(i) + side / 2, y + side / 2});
  }
  const Font digits{.size = side * 0.74};
  if (step < kRamp) {
    canvas.fill(squares, kMappingColours[step]);
    if (side >= kDigitRoom)
      canvas.character(ramp_character(step), centres, digits, readable_on(kMappingColours[step]));
  } else {
    const bool is_empty = step == kEmptyStep;
    if (!is_empty) canvas.fill(squares, uncounted_fill(map_));
    canvas.outline(squares, is_empty ? kEmptyCellLine : kQuietInk, 0.5);
    canvas.character(is_empty ? '.' : '0', centres, digits, is_empty ? kEmptyCellDot : kQuietInk);
  }
}

}  // namespace physmem
