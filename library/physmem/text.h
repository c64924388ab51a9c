// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace physmem {

/// Returns a name as valid UTF-8, which JSON and Arrow require, in the form of all exports
/// (formats/report-columns.md, "Names"): control characters and invalid bytes are `\ooo` (three
/// octal digits), and a backslash before three octal digits is `\134`.
std::string utf8_name(std::string_view name);

}  // namespace physmem
