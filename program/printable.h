// SPDX-License-Identifier: MIT
// Makes names safe to show. Names from kernels and file systems can contain any byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace physmem {

/// Bytes of the UTF-8 character at the start of `text`. 0 if it is not valid (stray byte,
/// truncated, overlong, surrogate).
std::size_t utf8_length(std::string_view text);

/// The first character of a text that is valid UTF-8.
char32_t code_point(std::string_view text);

/// Control characters, line separators, characters without width, and bidirectional formatting
/// characters (Unicode), which can make a name look like another one.
bool is_control(char32_t code);

/// Number of characters of a text. A stray byte counts as one.
std::size_t code_points(std::string_view text);

/// Columns of a text on a terminal, by wcwidth(): two for a wide character (CJK), none for a
/// combining one, one for a stray byte.
std::size_t terminal_width(std::string_view text);

/// From now on texts for the terminal are ASCII, or may be UTF-8 again, as at the start. A program
/// calls it once, before it has threads, if has_utf8() of program/terminal.h is false.
void use_ascii(bool is_ascii = true);

/// A text of the program with signs that are not ASCII: … × ⏎ ↑↓. After use_ascii() they become
/// "...", "x", "Enter" and "Up/Down".
std::string with_signs(std::string_view text);

/// The text in at most `columns` columns of a terminal (at least three): if it is longer, its
/// beginning and its end with "…" between them, because names differ there. After use_ascii() it
/// is "...".
std::string in_columns(std::string_view text, std::size_t columns);

/// The text in lines of at most `columns` columns of a terminal, broken at blanks; a longer word is
/// broken too. Lines after the first begin below the text after a label, which two blanks follow,
/// or two columns further to the right. 0 columns: any number.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

/// Replaces control characters (C0, DEL, C1), line separators, directional marks and stray bytes by
/// \ooo. So a name can neither move the cursor nor look like another one. After use_ascii() also
/// every other character that is not ASCII.
std::string for_terminal(std::string_view text);

/// The same for text in lines, with fields between tabs: the line ends and tabs stay.
std::string lines_for_terminal(std::string_view text);

/// The cell of a table on a terminal. A name in a script from right to left is put between U+2068
/// and U+2069 (Unicode, UAX #9), which have no width: otherwise a terminal that supports such
/// scripts moves the numbers next to it into other columns. After use_ascii() unchanged.
std::string isolated(std::string text);

/// For output that is not to a terminal.
std::string without_isolates(std::string text);

/// A sentence on a terminal: the same for each part of it that is from right to left, between words
/// that are not.
std::string with_isolates(std::string_view text);

inline constexpr std::size_t kWholePath = 4096;  ///< PATH_MAX

/// The beginning of a text, at most `limit` bytes, in quotation marks, for messages.
std::string in_quotes(std::string_view text, std::size_t limit = 40);

/// A message for standard error: "PROGRAM: TEXT" and a newline. TEXT passes for_terminal(), because
/// messages contain arguments and names of files and processes.
std::string message_line(std::string_view program, std::string_view text);

/// The form of names in everything that programs read: CSV, JSON, SQLite, metrics and so on. Valid
/// UTF-8 without the characters that for_terminal() replaces; they and stray bytes are \ooo. A
/// backslash before three octal digits is \134. So different names stay different, and replacing
/// each \ooo by its byte, from left to right, gives the name.
std::string for_export(std::string_view text);
/// The text that for_export() was given: each \ooo becomes its byte. Files of the kernel, such as
/// mountinfo, have the same escapes.
std::string from_export(std::string_view text);

/// Replaces control characters by \ooo and stray bytes by U+FFFD. The result is valid UTF-8 without
/// NUL, as cairo requires.
std::string for_picture(std::string_view text);

/// "1 page", "2 pages".
std::string counted(std::uint64_t n, std::string_view singular);

}  // namespace physmem
