// SPDX-License-Identifier: MIT
// Reads the answer of ClickHouse to a question in the format JSONCompact, piece by piece. The
// format ends with the number of rows, so that an answer that was cut, or that ends in an error
// message, is recognized in spite of HTTP status 200.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fleet/store/store.h"

namespace physmem::fleet {

/// "Code: 279, e.displayText() = DB::NetException: …" and the like, wherever it begins in the text;
/// empty if there is none.
std::string_view exception_in(std::string_view text);
/// The number after "Code: "; 0 if there is none.
int exception_code(std::string_view exception);

/// The value of a column; 0 or empty if it is something else.
std::uint64_t number_at(const Row& row, std::size_t column);
std::string text_at(const Row& row, std::size_t column);

class ClickhouseAnswer {
 public:
  /// `take` is called for each row while the answer comes. If the answer turns out to be
  /// incomplete, finish() returns an error, and the rows are worth nothing.
  explicit ClickhouseAnswer(const Store::TakeRow& take) : take_(take) {}

  /// False after an error; further pieces are ignored.
  bool add(std::string_view piece);
  Status finish();

 private:
  enum class Part : std::uint8_t { kHead, kRows, kTail, kEnd };

  bool fail(const std::string& what);
  bool take_line(std::string_view line);
  bool take_row(std::string_view line);
  bool take_tail(std::string_view line, bool is_last);

  const Store::TakeRow& take_;
  Part part_ = Part::kHead;
  std::string pending_;  ///< the beginning of a line
  Row row_;
  std::uint64_t rows_ = 0;
  std::uint64_t stated_rows_ = 0;
  Status status_;
};

}  // namespace physmem::fleet
