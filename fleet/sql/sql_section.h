// SPDX-License-Identifier: MIT
// A file of fleet/sql/ with several statements: a line "--: NAME" begins each.
#pragma once

#include <string>
#include <string_view>

namespace physmem::fleet {

/// The part of a text after the line "--: NAME", up to the next such line. Empty if there is none.
std::string_view sql_section(std::string_view text, std::string_view name);

/// A part of fleet/sql/DIALECT/statements.sql.
std::string_view sql_statement(std::string_view dialect, std::string_view name);

/// With `by` in each place of `word`.
std::string replaced(std::string_view sql, std::string_view word, std::string_view by);

}  // namespace physmem::fleet
