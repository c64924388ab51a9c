// SPDX-License-Identifier: MIT
#include "program/printable.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

namespace physmem {
namespace {

TEST(Printable, KeepsOrdinaryText) {
  EXPECT_EQ(for_terminal("/usr/bin/Ärger"), "/usr/bin/Ärger");
  EXPECT_EQ(for_picture("/usr/bin/Ärger"), "/usr/bin/Ärger");
}

TEST(Printable, LeavesOutTheMiddleOfWideTexts) {
  EXPECT_EQ(in_columns("abcdefgh", 8), "abcdefgh");
  EXPECT_EQ(in_columns("abcdefgh", 7), "abc…fgh");
  EXPECT_EQ(in_columns("abcdefgh", 6), "abc…gh");
  EXPECT_EQ(in_columns("abcdefgh", 3), "a…h");
  EXPECT_EQ(in_columns("日本語テスト", 7), "日…スト") << "a character of two columns is not cut";
  EXPECT_EQ(in_columns("日本語テスト", 6), "日…ト");
  EXPECT_EQ(in_columns("a\xFF\xFF\xFFz", 3), "a…z");
}

TEST(Printable, IsAsciiForATerminalWithoutUtf8) {
  use_ascii();
  EXPECT_EQ(in_columns("abcdefgh", 7), "ab...gh");
  EXPECT_EQ(in_columns("abcdefgh", 3), "...");
  EXPECT_EQ(with_signs("⏎ pages … 40×12 ↑↓"), "Enter pages ... 40x12 Up/Down");
  EXPECT_EQ(for_terminal("Ärger"), R"(\303\204rger)");
  EXPECT_EQ(for_picture("Ärger"), "Ärger");
  use_ascii(false);
  EXPECT_EQ(with_signs("…"), "…");
}

using Lines = std::vector<std::string>;

TEST(Printable, WrapsSentencesAtBlanks) {
  EXPECT_EQ(wrapped("no leaks", 8), (Lines{"no leaks"}));
  EXPECT_EQ(wrapped("no leaks at all", 8), (Lines{"no leaks", "  at all"}));
  EXPECT_EQ(wrapped("no leaks at all", 7), (Lines{"no", "  leaks", "  at", "  all"}));
  EXPECT_EQ(wrapped("no leaks  ", 8), (Lines{"no leaks"}));
  EXPECT_EQ(wrapped("no leaks at all", 0), (Lines{"no leaks at all"})) << "any width";
  EXPECT_EQ(wrapped("", 8), (Lines{""}));
}

TEST(Printable, IndentsLinesBelowTheTextAfterALabel) {
  EXPECT_EQ(wrapped("RAM  all of it", 15), (Lines{"RAM  all of it"}));
  EXPECT_EQ(wrapped("RAM  none of all", 15), (Lines{"RAM  none of", "     all"}));
  EXPECT_EQ(wrapped("    9 s  reclaim, was idle", 27), (Lines{"    9 s  reclaim, was idle"}));
  EXPECT_EQ(wrapped("  9 s  reclaim, was idle", 22), (Lines{"  9 s  reclaim, was", "       idle"}));
  EXPECT_EQ(wrapped("a label too long  of all", 18), (Lines{"a label too long", "  of all"}));
}

TEST(Printable, BreaksWordsThatAreLongerThanALine) {
  EXPECT_EQ(wrapped("in /usr/lib/libc.so", 8), (Lines{"in", "  /usr/l", "  ib/lib", "  c.so"}));
  EXPECT_EQ(wrapped("日本語", 4), (Lines{"日本", "  語"}));
  EXPECT_EQ(wrapped("日本", 1), (Lines{"日", "本"})) << "a character is not cut";
}

TEST(Printable, ShowsControlCharactersAsOctal) {
  EXPECT_EQ(for_terminal("a\x1b[2Jb\n\x7f"), R"(a\033[2Jb\012\177)");
  EXPECT_EQ(for_picture(std::string_view("a\0b", 3)), R"(a\000b)");
  EXPECT_EQ(lines_for_terminal("\x1b\tb\n\n\u202Ec\r"), "\\033\tb\n\n\\342\\200\\256c\\015");
}

TEST(Printable, ShowsControlCharactersBeyondAsciiToo) {
  EXPECT_EQ(for_terminal("a\xC2\x9Bm"),
            R"(a\302\233m)");  // U+009B starts a terminal command, as ESC [ does
}

TEST(Printable, ShowsDirectionMarksAndLineSeparatorsAsOctal) {
  EXPECT_EQ(for_terminal("txt\u202Egnp"), R"(txt\342\200\256gnp)");
  EXPECT_EQ(for_terminal("\u061C\u200E\u2069"), R"(\330\234\342\200\216\342\201\251)");
  EXPECT_EQ(for_terminal("a\u2028b"), R"(a\342\200\250b)");
  EXPECT_EQ(for_terminal("a\u200Bb"), R"(a\342\200\213b)") << "no width";
  EXPECT_EQ(for_terminal("\u200A\u202F\u205F"), "\u200A\u202F\u205F")
      << "adjacent code points are kept";
}

TEST(Printable, EscapesAStrayByteOnATerminalAndReplacesItInAPicture) {
  EXPECT_EQ(for_terminal("a\xFF!"), R"(a\377!)");
  EXPECT_EQ(for_picture("a\xFF!"), "a\xEF\xBF\xBD!");
}

TEST(Printable, ExportsValidUtf8WithoutControls) {
  EXPECT_EQ(for_export("/usr/bin/caf\u00e9"), "/usr/bin/caf\u00e9");
  EXPECT_EQ(for_export("a\xff\n\u202E"), "a\\377\\012\\342\\200\\256");
  EXPECT_EQ(for_export("a\\x2db\\12\\"), "a\\x2db\\12\\") << "no three octal digits follow";
  EXPECT_EQ(for_export("\\001\\777"), "\\134001\\134777");
  EXPECT_EQ(for_export("\\\xff"), "\\\\377");
  for (const std::string name :
       {"/usr/bin/caf\u00e9", "a\xff\n\u202E", "\\001\\777", "\\12\\", "\\\xff", ""})
    EXPECT_EQ(from_export(for_export(name)), name);
  use_ascii();
  EXPECT_EQ(for_export("\u00e9"), "\u00e9") << "whatever the terminal shows";
  use_ascii(false);
}

/// Undoes for_export() as formats/report-columns.md describes it.
std::string restored(std::string_view text) {
  std::string name;
  const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
  while (!text.empty()) {
    const bool is_escape = text.size() >= 4 && text[0] == '\\' &&
                           std::all_of(text.begin() + 1, text.begin() + 4, is_octal);
    name += is_escape ? static_cast<char>(std::stoi(std::string(text.substr(1, 3)), nullptr, 8))
                      : text[0];
    text.remove_prefix(is_escape ? 4 : 1);
  }
  return name;
}

TEST(Printable, ExportsCanBeUndone) {
  std::mt19937 random(1953);
  const std::string_view alphabet("\\\\\\01347a\n\0\x7f\xc2\x9b\xc3\xa9\xe2\x80\xae\xff", 20);
  for (int round = 0; round < 20'000; ++round) {
    std::string name;
    for (std::size_t n = random() % 9; n > 0; --n) name += alphabet[random() % alphabet.size()];
    const std::string text = for_export(name);
    ASSERT_EQ(restored(text), name) << text;
    ASSERT_EQ(for_terminal(text), text) << "no controls, valid UTF-8";
  }
}

TEST(Printable, IsolatesCellsFromRightToLeft) {
  EXPECT_EQ(isolated("\u05d0b 1"), "\u2068\u05d0b 1\u2069") << "Hebrew";
  EXPECT_EQ(isolated("a \u0627"), "\u2068a \u0627\u2069") << "Arabic";
  EXPECT_EQ(isolated("\U0001E900"), "\u2068\U0001E900\u2069") << "Adlam";
  EXPECT_EQ(isolated("Ärger 日本 \xff"), "Ärger 日本 \xff");
  EXPECT_EQ(terminal_width(isolated("\u05d0\u05d1")), 2U);
  EXPECT_EQ(with_isolates("by \u05d0\u05d1 \u05d2 (7), \u0627: 4 KiB"),
            "by \u2068\u05d0\u05d1 \u05d2\u2069 (7), \u2068\u0627\u2069: 4 KiB");
  EXPECT_EQ(with_isolates("Ärger 7"), "Ärger 7");
  EXPECT_EQ(without_isolates("by \u2068\u05d0\u2069 (7)"), "by \u05d0 (7)");
  use_ascii();
  EXPECT_EQ(isolated("\u05d0"), "\u05d0") << "already escaped";
  use_ascii(false);
}

TEST(Printable, EscapesMessagesAndAddsANewline) {
  EXPECT_EQ(message_line("physmem-convert", "\x1b[2J: \xFF"), "physmem-convert: \\033[2J: \\377\n");
}

TEST(Printable, MeasuresUtf8Characters) {
  EXPECT_EQ(utf8_length("a"), 1U);
  EXPECT_EQ(utf8_length("é"), 2U);
  EXPECT_EQ(utf8_length("…"), 3U);
  EXPECT_EQ(utf8_length("🐧"), 4U);
}

TEST(Printable, RejectsInvalidUtf8) {
  EXPECT_EQ(utf8_length(""), 0U);
  EXPECT_EQ(utf8_length("\x80"), 0U) << "continuation without a start";
  EXPECT_EQ(utf8_length("\xE2\x80"), 0U) << "cut short";
  EXPECT_EQ(utf8_length("\xC0\xAF"), 0U) << "overlong";
  EXPECT_EQ(utf8_length("\xE0\x9F\xBF"), 0U) << "overlong";
  EXPECT_EQ(utf8_length("\xED\xA0\x80"), 0U) << "surrogate";
  EXPECT_EQ(utf8_length("\xF4\x90\x80\x80"), 0U) << "above U+10FFFF";
}

TEST(Printable, CountsTerminalColumns) {
  EXPECT_EQ(terminal_width(""), 0U);
  EXPECT_EQ(terminal_width("naïve…"), 6U);
  EXPECT_EQ(terminal_width("日本語"), 6U) << "wide";
  EXPECT_EQ(terminal_width("e\u0301"), 1U) << "combining";
  EXPECT_EQ(terminal_width("a\xFF"), 2U) << "stray";
}

TEST(Printable, CountsCharactersNotBytes) {
  EXPECT_EQ(code_points("naïve…"), 6U);
  EXPECT_EQ(code_points("\xFF\xFE"), 2U);
}

}  // namespace
}  // namespace physmem
