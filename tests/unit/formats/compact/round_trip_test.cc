// SPDX-License-Identifier: MIT
// Encoding and decoding restores any text.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/formats/compact/compact_text.h"

namespace physmem {
namespace {

using testing::Test;

/// Encodes in one piece and in small pieces, and decodes in large and small reads. Small is a few
/// bytes, or some hundred bytes for a long text.
void expect_same(std::string_view text) {
  const std::string compact = compact_of(text);
  const std::size_t factor = text.size() < 10'000 ? 1 : 101;
  EXPECT_EQ(decode_text(compact), (Decoded{std::string(text), ""}));
  EXPECT_EQ(decode_text(compact, 7 * factor, 3 * factor), (Decoded{std::string(text), ""}));
  EXPECT_EQ(compact_of(text, factor), compact) << "the output depends on the pieces";
  EXPECT_EQ(compact_of(text, 1000), compact);
}

std::string entries(std::uint64_t va, std::uint64_t value, int pages, std::int64_t step) {
  std::string text;
  for (int i = 0; i < pages; ++i, va += 4096, value += static_cast<std::uint64_t>(step))
    text += fmt::format(" {:08X}={:08X}, 1, 00000868 |", va, value);
  return text;
}

TEST(RoundTrip, RestoresSnapshot) {
  expect_same(kSample);
}

TEST(RoundTrip, RestoresSeveralSnapshots) {
  expect_same(std::string(kSample) + std::string(kSample) + std::string(kSample));
}

TEST(RoundTrip, RestoresConcatenatedStreams) {
  EXPECT_EQ(decode_text(compact_of(kSample) + compact_of("second\n") + compact_of("")).text,
            std::string(kSample) + "second\n");
}

TEST(RoundTrip, RestoresTextsThatAreNotSnapshots) {
  for (const std::string text : {"",
                                 "\n",
                                 "x",
                                 "M",
                                 "M:",
                                 "M:\n",
                                 "S:",
                                 "M: ",
                                 "M: \n",
                                 "M: |",
                                 "T:",
                                 "T: ",
                                 "T: \n",
                                 "T: a",
                                 "T: a, ",
                                 "T: , , \n",
                                 "A: \nA: , \nA: \n",
                                 "\r\n\r\n",
                                 "hello\nworld",
                                 "M: 1=2, 3, 4 |\n",
                                 "M:\nM:\nS:\n",
                                 "H: 2, page_size=0\n",
                                 "H: 2, page_size=3\n",
                                 "H: 2, page_size=18446744073709551616\n"})
    expect_same(text);
  expect_same(std::string("T: a\0b, \0\n\0", 11));
}

TEST(RoundTrip, RestoresTruncatedLines) {
  for (std::size_t size = 0; size <= kSample.size(); ++size) {
    const std::string_view text = kSample.substr(0, size);
    ASSERT_EQ(decode_text(compact_of(text)).text, text) << size;
  }
}

TEST(RoundTrip, RestoresCarriageReturns) {
  std::string text;
  for (const char c : kSample) text += c == '\n' ? "\r\n" : std::string(1, c);
  expect_same(text);
}

TEST(RoundTrip, RestoresUnusualNumbers) {
  expect_same(
      "T: 007, 0x10, 0000000a, 0000000A, 000000000A, 18446744073709551615, 18446744073709551616, "
      "-1, +1\n");
  expect_same("T: 7, 0x10, 0000000B, FFFFFFFFFFFFFFFF, 10000000000000000, 12345678, 0, 00, \n");
  expect_same(
      "M: 0000a000=00001000, 1, 00000868 | 0000B000=00001000, 01, 00000868 | C000=00001000, 1, 868 "
      "|\n");
  expect_same(
      "M: 0000A000=00001000, 1, 00000868 |  0000B000=00002000, 1, 00000868 |0000C000=00003000, 1, "
      "0 |\n");
  expect_same("S: 0000A000=0:00001000 | 0000B000=00:00001001 | 0000C000=1:1002 | x\n");
}

TEST(RoundTrip, RestoresLinesOfAnyLength) {
  for (const std::size_t size : {100u, 12287u, 12288u, 12289u, 70000u}) {
    expect_same("T: " + std::string(size, 'x') + ", 1\n" + std::string(kSample));
    expect_same("M: " + std::string(size, 'x') + "|\n" + std::string(kSample));
  }
  std::string many = "Q: 1";
  for (int i = 0; i < 70; ++i) many += ", 1";
  expect_same(many + "\n");
}

std::string repeated(std::string_view text, std::size_t bytes) {
  std::string all;
  while (all.size() < bytes) all += text;
  return all;
}

/// The payload of a block is limited, too.
TEST(RoundTrip, RestoresTextsWhoseEncodingIsLonger) {
  const std::string sample(kSample);
  expect_same(std::string(100000, '\n'));
  expect_same("H: 2\n" + std::string(50000, '\n'));
  expect_same("M:" + std::string(60000, '|'));
  expect_same(sample + "M: " + std::string(60000, '|') + "\n" + sample);
  expect_same(sample + std::string(60000, '\n') + sample);
  for (const char* const pattern :
       {"x\n", "M:\n", "\nM:\n", "S:\nM:|\n", "A: \nA: , \n", "\nT: \n", "M:|\n\n"})
    expect_same(sample + repeated(pattern, 200000) + sample);
}

TEST(RoundTrip, RestoresNumbersFarFromPrediction) {
  // A P: line is expected to have the size of the V: line before it, here in pages of one byte.
  const std::string area = "H: 2, page_size=1\nV: 0, 0, 0, 8000000000000000, 0, 00000004\n";
  expect_same(area + repeated("P: 0\n", 200000));
  expect_same(area + repeated("P: 0, 1, 0, 1, 0, 1\n", 200000));
  expect_same(
      repeated("A: 0, 0, 0, 0\nA: 9223372036854775808, 0, 9223372036854775808, 0\n", 200000));
  expect_same(
      "S:" + repeated(" 00001000=0:00000001 | FFFFFFFFFFFF1000=1:8000000000000000 |", 200000) +
      "\n");
}

TEST(RoundTrip, RestoresAscendingAndDescendingRuns) {
  for (const std::int64_t step : {4096, -4096, 0, 8192, 1, -1})
    expect_same("M:" + entries(0x7F0000000000, 0x123456000, 1000, step) + "\n");
}

/// The direction of a run is unknown until its second entry is complete.
TEST(RoundTrip, RestoresRunPassedInPieces) {
  const std::string text =
      "M:" + entries(0x1000, 0x5000, 1, 4096) + entries(0x2000, 0x4000, 3, 4096) + "\n";
  const std::string compact = compact_of(text);
  for (std::size_t piece = 1; piece <= text.size(); ++piece)
    ASSERT_EQ(compact_of(text, piece), compact) << piece;
  EXPECT_EQ(decode_text(compact).text, text);
}

TEST(RoundTrip, RestoresRunsAcrossEveryCarry) {
  for (const std::uint64_t value :
       {0xFFF000ull, 0xFFFFF000ull, 0xFFFFFFFFF000ull, 0xFFFFFFFFFF000ull, 0xFFFFFFFFFFFFF000ull}) {
    const std::uint64_t before = value - 4 * 4096;
    expect_same("M:" + entries(before, before, 300, 4096) +
                entries(before, before + (600 << 12), 300, -4096) + "\n");
    expect_same("M:" + entries(0x1000, value | 0x867, 300, 4096) + "\n");
  }
}

TEST(RoundTrip, RestoresEveryPageSize) {
  for (int shift = 0; shift < 40; ++shift) {
    std::string text =
        fmt::format("H: 2, arch=x, page_size={}, kernel=6\nM:", std::uint64_t{1} << shift);
    for (std::uint64_t i = 0; i < 600; ++i)
      text += fmt::format(" {:08X}={:08X}, 1, 00000868 |", 0x7F0000000000 + (i << shift),
                          (i + 5) << shift);
    text += "\nS:";
    for (std::uint64_t i = 0; i < 600; ++i)
      text += fmt::format(" {:08X}=1:{:08X} |", 0x7F0000000000 + (i << shift), i + 0xFE);
    ASSERT_EQ(decode_text(compact_of(text + "\n")).text, text + "\n") << shift;
  }
}

TEST(RoundTrip, RestoresAndCompressesRepeatedLists) {
  std::string list;
  for (std::uint64_t i = 0; i < 3000; ++i)
    list += entries(0x7F0000000000 + (i * 3 << 12), (i * 7919 % 4096) << 12, 2, 4096);
  std::string text;
  for (int process = 0; process < 8; ++process)
    text += "V: 7F0000000000, 7F0001000000\nM:" + list + "\n";
  const std::string compact = compact_of(text);
  EXPECT_EQ(decode_text(compact).text, text);
  EXPECT_LT(compact.size(), 3000u * 6)
      << "pages that a child shares with its parent are encoded once";
  expect_same(text);
}

TEST(RoundTrip, RestoresMoreNamesAndUsesThanDictionariesHold) {
  std::string text;
  for (int i = 0; i < 140000; ++i) text += fmt::format("T: name{}, {}\n", i, i);
  text += "M:";
  for (int i = 0; i < 140000; ++i)
    text += fmt::format(" {:08X}=00001000, {}, {:08X} |", i << 12, i, i * 3);
  text += "\n";
  EXPECT_EQ(decode_text(compact_of(text)).text == text, true);
  std::string long_names;
  for (int i = 0; i < 2000; ++i) long_names += fmt::format("T: {}{}\n", std::string(5000, 'n'), i);
  EXPECT_EQ(decode_text(compact_of(long_names)).text == long_names, true);
}

TEST(RoundTrip, RestoresEmptyUseAfterAnotherUse) {
  expect_same(
      "M: 00001000=00001000, 1, 00000001 | 00002000=00005000, 0, 00000000 | 00003000=00008000, 2, "
      "00000001 |"
      " 00004000=0000A000, 0, 00000000 | 00005000=0000C000, 1, 00000001 |\n");
}

}  // namespace
}  // namespace physmem
