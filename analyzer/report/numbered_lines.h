// SPDX-License-Identifier: MIT
// Lines that differ in nothing but the number they begin with: most of a page dump.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "analyzer/report/table_writer.h"

namespace physmem {

/// A line is the number, with blanks before it up to `width` characters, then `rest`.
class NumberedLines {
 public:
  NumberedLines(Column::Kind kind, std::size_t width, std::string rest);

  void append(std::string& to, const Numbers& numbers);

 private:
  void write_out(std::uint64_t number);
  void append_equal(std::string& to, const Numbers& numbers) const;

  Column::Kind kind_;
  std::size_t width_;
  std::string line_;            ///< of number_; `rest` until there is one
  std::size_t number_end_ = 0;  ///< in line_
  std::uint64_t number_ = 0;
  std::uint64_t least_ = 1;  ///< from here to last_ the line of a number is line_ with other digits
  std::uint64_t last_ = 0;
};

}  // namespace physmem
