// SPDX-License-Identifier: MIT
// Reads and parses small files of /proc and /sys.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace physmem {

/// nullopt if the file cannot be read.
std::optional<std::string> read_text(const std::string& path);

/// Removes the next line from `text`, without its newline. False at the end.
bool take_line(std::string_view& text, std::string_view& line);
/// Removes the next word from `line`. Empty at the end.
std::string_view take_word(std::string_view& line);

}  // namespace physmem
