// SPDX-License-Identifier: MIT
// One field of CSV (RFC 4180), and how names from outside are written in it.
#pragma once

#include <string>
#include <string_view>

namespace physmem {

/// How CSV differs from its plain form, which has a comma between fields and every byte of a name.
struct CsvStyle {
  bool with_titles = true;    ///< false: rows that continue a table that was begun before
  bool for_terminal = false;  ///< texts as for_terminal() shows them
  bool for_spreadsheet =
      false;  ///< a text that a spreadsheet would take for a formula gets an apostrophe in front
};

/// A text of the table, before it is quoted.
std::string csv_text(std::string_view text, const CsvStyle& style);

/// Quotes are needed for comma, quote and line end, and for a blank at an end, which some readers
/// drop.
bool needs_csv_quotes(std::string_view field);

/// Appends the field, with quotes where it needs them.
void append_csv_field(std::string& to, std::string_view field);

}  // namespace physmem
