// SPDX-License-Identifier: MIT
// The printable form of names in reports and stores.
#pragma once

#include <string>
#include <string_view>

namespace physmem::fleet {

/// Control characters, backslashes and bytes that are not UTF-8 become \ooo, so that the text is
/// valid UTF-8 on one line without tabs.
std::string escaped_name(std::string_view name);
/// Whether escaped_name() can have written the text.
bool is_escaped_name(std::string_view text);
/// Undoes escaped_name().
std::string unescaped_name(std::string_view text);

}  // namespace physmem::fleet
