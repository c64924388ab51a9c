// SPDX-License-Identifier: MIT
// Pageblocks as small cells, 128 per line.
#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/report/drawing.h"
#include "analyzer/report/heading.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// Keeps a reference to the map.
class BlockMapPainter : public Drawing {
 public:
  BlockMapPainter(const BlockMap& map, const Room& room, Canvas& ruler);

  std::size_t sheets() const override { return sheets_.size(); }
  double height(std::size_t sheet) const override { return sheets_[sheet].bottom; }
  void draw(Canvas& canvas, std::size_t sheet) const override;

 private:
  /// A heading, or up to a line of cells.
  struct Row {
    std::size_t part = 0;
    std::size_t begin = 0;
    std::size_t end = 0;  ///< of the cells; begin: it is the heading
    double y = 0;
  };
  struct Sheet {
    std::vector<Row> rows;
    double bottom = 0;
  };

  void place(std::size_t part, std::size_t begin, std::size_t end);
  void draw_cells(Canvas& canvas, const Row& row) const;
  void draw_run(Canvas& canvas, const BlockMap::Cell& cell, const Row& row, std::size_t begin,
                std::size_t end) const;

  const BlockMap& map_;
  Room room_;
  Heading heading_;
  std::vector<Sheet> sheets_;
  double left_ = 0;   // of the cells
  double pitch_ = 0;  // of a cell
};

}  // namespace physmem
