// SPDX-License-Identifier: MIT
// Lines that differ only in the number at their beginning, like most lines of a page dump.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "analyzer/report/table_writer.h"

namespace physmem {

/// A line is the number, right-aligned to `width` characters, then `rest`.
class NumberedLines {
 public:
  NumberedLines(Column::Kind kind, std::size_t width, std::string rest);

  void append(std::string& to, const Numbers& numbers);

 private:
  void write_out(std::uint64_t number);
  void append_equal(std::string& to, const Numbers& numbers) const;

  Column::Kind kind_;
  std::size_t width_;
  std::string line_;            ///< line of number_; initially `rest`
  std::size_t number_end_ = 0;  ///< in line_
  std::uint64_t number_ = 0;
  std::uint64_t least_ = 1;  ///< numbers from here to last_ have line_ with other digits
  std::uint64_t last_ = 0;
};

}  // namespace physmem
