// SPDX-License-Identifier: MIT
// Page maps as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>

#include "analyzer/shape/shapes.h"

namespace physmem {

/// In files and pipes: the lines as they are, in the form of the paper. On a terminal: as many
/// cells per line as fit, one line with the number of repetitions instead of equal full lines.
class MapText {
 public:
  /// `columns`: of the terminal; 0: none.
  MapText(std::ostream& out, std::size_t columns) : out_(out), columns_(columns) {}

  /// Bytes that a cell stands for.
  void set_page_size(std::uint64_t bytes) { page_size_ = bytes; }
  void line(const PageMap::Line& line);
  /// After the last line of a map.
  void end();

 private:
  void add_cells(const PageMap::Line& line);
  void write_full_lines();
  void write_rest();
  void write_full(const std::string& cells);
  void write_repeats();
  void write(std::uint64_t address, const std::string& cells);

  std::ostream& out_;
  std::size_t columns_;
  std::uint64_t page_size_ = 4096;
  std::uint64_t address_ = 0;   ///< of cells_
  std::string cells_;           ///< not written yet
  std::string last_;            ///< the full line that was written last; empty: none
  std::uint64_t repeated_ = 0;  ///< how often it follows again
};

}  // namespace physmem
