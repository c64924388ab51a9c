// SPDX-License-Identifier: MIT
#include "analyzer/report/csv_field.h"

#include "program/printable.h"

namespace physmem {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// Whether a spreadsheet treats the cell as a formula (OWASP, CSV injection; a tab or carriage
/// return is \ooo here), or the text begins as if it had been escaped.
bool requires_apostrophe(std::string_view text) {
  return !text.empty() && std::string_view("=+-@'").find(text.front()) != std::string_view::npos;
}

}  // namespace

std::string csv_text(std::string_view text, const CsvStyle& style) {
  const std::string name = for_export(text);
  const std::string apostrophe = style.for_spreadsheet && requires_apostrophe(name) ? "'" : "";
  return apostrophe + (style.for_terminal ? isolated(for_terminal(name)) : name);
}

bool needs_csv_quotes(std::string_view field) {
  if (field.empty()) return false;
  return is_blank(field.front()) || is_blank(field.back()) ||
         field.find_first_of(",\"\r\n") != std::string_view::npos;
}

void append_csv_field(std::string& to, std::string_view field) {
  if (!needs_csv_quotes(field)) {
    to += field;
    return;
  }
  to += '"';
  for (const char c : field) {
    if (c == '"') to += '"';
    to += c;
  }
  to += '"';
}

}  // namespace physmem
