// SPDX-License-Identifier: MIT
// Pages as small squares, 64 per line, as in figures 4 and 5 of the paper.
#pragma once

#include <string>
#include <vector>

#include "analyzer/report/drawing.h"
#include "analyzer/report/heading.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// Most lines of any kind in one picture. Its last line states how many are left out.
inline constexpr std::size_t kMaxLinesInPicture = 400;

/// Keeps a reference to the map.
class PageMapPainter : public Drawing {
 public:
  PageMapPainter(const PageMap& map, const Room& room, Canvas& ruler);

  std::size_t sheets() const override { return sheets_.size(); }
  double height(std::size_t sheet) const override;
  void draw(Canvas& canvas, std::size_t sheet) const override;
  /// Lines a picture leaves out.
  std::size_t left_out() const { return left_out_; }

 private:
  enum class Kind { kHeading, kContinued, kCells, kRepeated, kSkipped, kSummary };
  struct Row {
    Kind kind;
    std::size_t block;
    std::size_t index;  // of the line, or of the summary's line
    double y;           // its upper edge
    std::size_t lines;  // that the row stands for
  };
  struct Sheet {
    std::vector<Row> rows;
    double bottom = 0;
  };

  void place_blocks();
  void place(Kind kind, std::size_t block, std::size_t index, std::size_t lines = 1);
  void start_sheet();
  bool is_full(double more) const;
  void measure_columns(Canvas& ruler);
  void draw_row(Canvas& canvas, const Row& row) const;
  void draw_address(Canvas& canvas, const PageMap::Line& line, double y) const;
  void draw_cells(Canvas& canvas, const PageMap::Line& line, double y) const;
  void draw_run(Canvas& canvas, std::size_t step, std::size_t begin, std::size_t end,
                double y) const;
  double cell_x(std::size_t cell) const;

  const PageMap& map_;
  Room room_;
  Heading heading_;
  std::vector<Sheet> sheets_;
  std::size_t placed_ = 0;
  std::size_t left_out_ = 0;  // lines
  int address_digits_ = 8;
  double left_ = 0;   // of the cells
  double pitch_ = 0;  // of a cell
};

}  // namespace physmem
