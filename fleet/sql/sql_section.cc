// SPDX-License-Identifier: MIT
#include "fleet/sql/sql_section.h"

#include "fleet/sql/sql_text.h"

namespace physmem::fleet {

std::string_view sql_section(std::string_view text, std::string_view name) {
  const std::string begin = "--: " + std::string(name) + "\n";
  const std::size_t found = text.find(begin);
  if (found == text.npos) return {};
  const std::size_t first = found + begin.size();
  return text.substr(first, text.find("--: ", first) - first);
}

std::string_view sql_statement(std::string_view dialect, std::string_view name) {
  return sql_section(sql_text(dialect, "statements"), name);
}

std::string replaced(std::string_view sql, std::string_view word, std::string_view by) {
  std::string text(sql);
  for (std::size_t at = 0; (at = text.find(word, at)) != text.npos; at += by.size())
    text.replace(at, word.size(), by);
  return text;
}

}  // namespace physmem::fleet
