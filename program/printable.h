// SPDX-License-Identifier: MIT
// Names come from kernels and file systems: any byte may stand in them. Here they become safe to
// show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace physmem {

/// Bytes of the UTF-8 character `text` starts with; 0 when there is none (stray, cut short,
/// overlong, surrogate).
std::size_t utf8_length(std::string_view text);

/// The first character of a text that is valid UTF-8.
char32_t code_point(std::string_view text);

/// Characters of a text. A stray byte counts as one.
std::size_t code_points(std::string_view text);

/// Columns that a terminal shows a text in, by wcwidth(): two for a wide character such as those of
/// CJK, none for a combining one, one for a stray byte.
std::size_t terminal_width(std::string_view text);

/// Control characters (C0, DEL, C1), line separators, marks of direction and stray bytes as \ooo,
/// so that no name moves the cursor or looks like another one.
std::string for_terminal(std::string_view text);

/// A message for standard error: "PROGRAM: TEXT" and a line end. TEXT is as for_terminal() shows
/// it, because messages repeat arguments and names of files and processes.
std::string message_line(std::string_view program, std::string_view text);

/// Control characters as \ooo, stray bytes as U+FFFD: always valid UTF-8 without NUL, as cairo
/// wants it.
std::string for_picture(std::string_view text);

}  // namespace physmem
