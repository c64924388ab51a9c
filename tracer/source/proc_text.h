// SPDX-License-Identifier: MIT
// Small files of the kernel's, whole.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace physmem {

/// Nothing when it cannot be read.
std::optional<std::string> read_text(const std::string& path);

/// Takes the next line off the front, without its newline; false when there is none.
bool take_line(std::string_view& text, std::string_view& line);
/// Takes the next word off the front; empty when there is none.
std::string_view take_word(std::string_view& line);

}  // namespace physmem
