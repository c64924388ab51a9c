// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace physmem {

/// A name as valid UTF-8, for JSON, Arrow and others that require it. A valid name is unchanged. In
/// any other, stray bytes and backslashes are written `\ooo` (three octal digits), as in the text
/// of a snapshot.
std::string utf8_name(std::string_view name);

}  // namespace physmem
