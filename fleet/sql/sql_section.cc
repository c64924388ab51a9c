// SPDX-License-Identifier: MIT
#include "fleet/sql/sql_section.h"

#include <string>

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

}  // namespace physmem::fleet
