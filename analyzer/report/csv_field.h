// SPDX-License-Identifier: MIT
// One field of CSV (RFC 4180), and the escaping of untrusted names in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace physmem {

/// Variants of CSV. The plain form has a comma between fields. Texts pass for_export().
struct CsvStyle {
  bool with_titles = true;    ///< false: the rows continue an earlier table
  bool for_terminal = false;  ///< texts also pass for_terminal() and isolated()
  /// Puts an apostrophe before a text that a spreadsheet would evaluate as a formula, and before
  /// one that begins with an apostrophe.
  bool for_spreadsheet = false;
  std::uint64_t* lines = nullptr;  ///< counts the lines that are written, unless null
};

/// Lines of a sheet in Excel and LibreOffice Calc. They ignore the rest of a file.
inline constexpr std::uint64_t kSheetLines = 1'048'576;

/// A sentence if there are more lines, otherwise empty. Here, because physmem-trace can be built
/// without this library.
inline std::string sheet_note(std::string_view table, std::uint64_t lines) {
  if (lines <= kSheetLines) return "";
  return std::string(table) + " has " + std::to_string(lines) +
         " lines: a spreadsheet reads only the first " + std::to_string(kSheetLines);
}

/// A text of the table in this style, before quoting.
std::string csv_text(std::string_view text, const CsvStyle& style);

/// Whether the field contains a comma, a quote or a line end, or has a blank at an end, which some
/// readers drop.
bool needs_csv_quotes(std::string_view field);

/// Appends the field, quoted if necessary.
void append_csv_field(std::string& to, std::string_view field);

}  // namespace physmem
