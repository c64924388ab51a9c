// SPDX-License-Identifier: MIT
// Lines that differ in nothing but the number they begin with: most of a page dump.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "analyzer/report/table_writer.h"

namespace physmem {

/// Appends a line for each number: the number, blanks before it up to `width` characters, then `rest`.
void append_numbered_lines(std::string& to, const Numbers& numbers, Column::Kind kind, std::size_t width,
                           std::string_view rest);

}  // namespace physmem
