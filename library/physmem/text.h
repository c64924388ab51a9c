// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace physmem {

/// Returns a name as valid UTF-8, which JSON and Arrow require. A name that is valid is unchanged.
/// In any other name, invalid bytes and backslashes are written `\ooo` (three octal digits), as in
/// the text of a snapshot.
std::string utf8_name(std::string_view name);

}  // namespace physmem
