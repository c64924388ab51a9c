// SPDX-License-Identifier: MIT
// Reports as text (formats/fleet-rows.md), and back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/parse/byte_source.h"
#include "fleet/model/report.h"
#include "program/result.h"

namespace physmem::fleet {

/// The first line, with its newline.
inline constexpr std::string_view kRowsMagic = "physmem-fleet-rows 1\n";

/// The lines of a report; kRowsMagic is not included.
std::string text_of(const Report& report);

/// A number that RowsReader would refuse, and what it expects; empty if there is none.
std::string above_limit(const Report& report);

/// Reads reports, and refuses what is not exactly in the form.
class RowsReader {
 public:
  RowsReader(ByteSource& source, std::string name) : source_(source), name_(std::move(name)) {}

  /// Nothing at the end of the input. The text of a report that is not whole is an error.
  Result<std::optional<Report>> next();

 private:
  Result<bool> line();
  Status begin();
  Status snapshot(Report& report) const;
  Status row(Report& report) const;
  Status end(std::uint64_t rows) const;
  Status check_keys(const Report& report) const;
  Error wrong(const std::string& found, const std::string& expected) const;
  Status take_text(std::string_view field, std::string& to) const;
  Status take_number(std::string_view field, std::string_view column, bool may_be_unknown,
                     std::uint64_t limit, std::optional<std::uint64_t>& to) const;

  ByteSource& source_;
  std::string name_;
  std::string buffer_;
  std::size_t at_ = 0;                    ///< of the next line in buffer_
  std::string_view line_;                 ///< of buffer_
  std::vector<std::string_view> fields_;  ///< of line_
  std::uint64_t number_ = 0;              ///< of line_, from 1
  std::size_t report_bytes_ = 0;          ///< of the report so far
  /// Rows of the last report; the next one has about as many.
  std::array<std::size_t, kFactTables> rows_{};
};

}  // namespace physmem::fleet
