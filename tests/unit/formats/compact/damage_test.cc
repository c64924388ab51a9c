// SPDX-License-Identifier: MIT
// Damage results in an error, never in a different text. A malicious file does not use much memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/compact/checksum.h"
#include "formats/compact/format.h"
#include "formats/compact/number.h"
#include "tests/unit/formats/compact/compact_text.h"

namespace physmem {
namespace {

using namespace compact;
using testing::HasSubstr;

/// A file of one block with a correct checksum.
std::string file_of(std::string_view payload, std::uint32_t text_bytes) {
  std::string file(kMagic);
  const auto block = [&file](std::uint32_t before, std::uint32_t text, std::string_view bytes) {
    char head[kHeadBytes];
    put_word(head, static_cast<std::uint32_t>(bytes.size()));
    put_word(head + 4, text);
    const std::uint32_t sum = block_checksum(before, text, bytes);
    put_word(head + 8, sum);
    file.append(head, sizeof head);
    file += bytes;
    return sum;
  };
  block(block(0, text_bytes, payload), 0, "");
  return file;
}

std::string payload_of(std::initializer_list<int> bytes) {
  return {bytes.begin(), bytes.end()};
}

std::string error_of(const std::string& payload, std::uint32_t text_bytes) {
  return decode_text(file_of(payload, text_bytes)).error;
}

// Changes each bit of each byte, and all bits of it. tests/property changes bytes arbitrarily.
TEST(Damage, IsDetectedInAnyByte) {
  const std::string good = compact_of(kSample);
  for (std::size_t at = 0; at < good.size(); ++at)
    for (const int change : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ change);
      const Decoded decoded = decode_text(bad);
      // Without its first bytes, the file is not in the compact format. The snapshot reader reports
      // it.
      const bool is_detected = !decoded.error.empty() || (at < kFamily && decoded.text == bad);
      ASSERT_TRUE(is_detected) << "byte " << at << " ^ " << change;
    }
}

TEST(Damage, IsReportedBySnapshotReaderInFirstBytes) {
  for (std::size_t at = 0; at < kFamily; ++at) {
    std::string bad = compact_of(kSample);
    bad[at] = static_cast<char>(bad[at] ^ 1);
    PiecewiseSource source(bad, 100);
    EXPECT_NE(read_from(source).error, "");
  }
}

TEST(Damage, IsDetectedAfterTruncationAnywhere) {
  const std::string good = compact_of(std::string(kSample) + std::string(kSample));
  for (std::size_t size = kFamily; size < good.size(); ++size)
    ASSERT_EQ(decode_text(std::string_view(good).substr(0, size)).error,
              "s.pmc: the compact form is cut short")
        << size;
}

TEST(Damage, IsDetectedInTrailingBytes) {
  EXPECT_THAT(decode_text(compact_of(kSample) + "trailing bytes").error,
              HasSubstr("is not another one"));
  EXPECT_THAT(decode_text(compact_of(kSample) + "x").error, HasSubstr("cut short"));
}

TEST(Damage, IsDetectedInMissingOrReorderedBlocks) {
  std::string text;
  for (int i = 0; i < 30000; ++i) text += "T: a, " + std::to_string(i * 7919) + "\n";
  const std::string good = compact_of(text);
  const std::size_t first = kMagic.size();
  const std::size_t second = first + kHeadBytes + word_at(good.data() + first);
  const std::size_t third = second + kHeadBytes + word_at(good.data() + second);
  ASSERT_LT(third + kHeadBytes, good.size());
  EXPECT_THAT(decode_text(good.substr(0, first) + good.substr(second)).error,
              HasSubstr("block 1: its checksum is"));
  EXPECT_THAT(decode_text(good.substr(0, second) + good.substr(third)).error,
              HasSubstr("block 2: its checksum is"));
  EXPECT_THAT(decode_text(good.substr(0, second) + good.substr(first)).error,
              HasSubstr("block 2: its checksum is"));
}

TEST(Damage, IsReportedForOtherVersionOrLineEnds) {
  std::string bytes = compact_of(kSample);
  bytes[4] = '2';
  EXPECT_THAT(decode_text(bytes).error, HasSubstr("version '2' of the compact form, expected '1'"));
  bytes = compact_of(kSample);
  bytes.erase(5, 1);  // 0D 0A becomes 0A, as in a transfer as text
  EXPECT_THAT(decode_text(bytes).error, HasSubstr("was it sent as text?"));
}

TEST(Damage, IsDetectedInLengthsBeforeUse) {
  std::string bytes = compact_of(kSample);
  put_word(bytes.data() + 8, 0xFFFFFFFF);
  EXPECT_THAT(decode_text(bytes).error,
              HasSubstr("it has 4294967295 bytes, expected 131072 at most"));
  bytes = compact_of(kSample);
  put_word(bytes.data() + 12, 0xFFFFFFFF);
  EXPECT_THAT(decode_text(bytes).error,
              HasSubstr("would become 4294967295 bytes, expected 65536 at most"));
}

TEST(Decoder, RejectsInvalidItems) {
  EXPECT_THAT(error_of(payload_of({0x10}), 1), HasSubstr("item of unknown kind"));
  EXPECT_THAT(error_of(payload_of({0xB4}), 1), HasSubstr("item of unknown kind"));
  EXPECT_THAT(error_of(payload_of({kRaw}), 1), HasSubstr("ends within an item"));
  EXPECT_THAT(error_of(payload_of({kRaw, 5, 'a'}), 5), HasSubstr("beyond the end of the block"));
  EXPECT_THAT(error_of(payload_of({kRaw, 1, 'a'}), 2),
              HasSubstr("less text than its header states"));
  EXPECT_THAT(error_of(payload_of({kRaw, 3, 'a', 'b', 'c'}), 2),
              HasSubstr("more text than its header states"));
  EXPECT_THAT(error_of(payload_of({kPageShift, 25}), 1), HasSubstr("pages are too large"));
  EXPECT_THAT(error_of(payload_of({kShape, 'a', 1}), 1), HasSubstr("does not begin with a letter"));
  EXPECT_THAT(error_of(payload_of({kShape, 'T', 0}), 1), HasSubstr("no field, or too many"));
  EXPECT_THAT(error_of(payload_of({kShape, 'T', 65}), 1), HasSubstr("no field, or too many"));
  EXPECT_THAT(error_of(payload_of({kLine, 0}), 4), HasSubstr("no earlier line with its letter"));
  EXPECT_THAT(error_of(payload_of({kRepeat, 1}), 4), HasSubstr("repeats an unknown run"));
}

TEST(Decoder, RejectsInvalidFields) {
  const std::string shape = payload_of({kShape, 'A', 1, kLine});
  EXPECT_THAT(error_of(shape + payload_of({2}), 4), HasSubstr("lacks a field that changes"));
  EXPECT_THAT(error_of(shape + payload_of({1, 4}), 4),
              HasSubstr("a name is encoded as a difference"));
  EXPECT_THAT(error_of(shape + payload_of({1, 2 << 2 | 3}), 4), HasSubstr("a name is unknown"));
  EXPECT_THAT(
      error_of(shape + payload_of({1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2}), 4),
      HasSubstr("more than 64 bits"));
  EXPECT_THAT(error_of(shape + payload_of({1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                           0x80, 0}),
                       4),
              HasSubstr("more than 64 bits"));
}

TEST(Decoder, RejectsInvalidRuns) {
  EXPECT_THAT(error_of(payload_of({kRun | kOtherUse, 1}), 40),
              HasSubstr("a use of pages is unknown"));
  EXPECT_THAT(error_of(payload_of({kRun | 1 << 5}), 41),
              HasSubstr("more text than its header states"));
  std::string longest = payload_of({kRun | 7 << 5});
  put_number(longest, ~std::uint64_t{0});
  EXPECT_THAT(error_of(longest, 4000), HasSubstr("more text than its header states"));
}

/// Up to 100 blocks of the shortest items that allocate memory.
TEST(Decoder, LimitsDictionaries) {
  std::string names = payload_of({kShape, 'A', 1});
  std::uint32_t text_bytes = 0;
  std::string file(kMagic);
  std::uint32_t sum = 0;
  std::uint64_t name = 1;
  std::string error;
  for (int block = 0; block < 100 && error.empty(); ++block) {
    std::string payload = names;
    text_bytes = 0;
    for (int i = 0; i < 10000; ++i, text_bytes += 4) {
      payload += payload_of({kLine, 1});
      put_number(payload, name++ << 2 | 3);
      put_number(payload, 0);
    }
    char head[kHeadBytes];
    put_word(head, static_cast<std::uint32_t>(payload.size()));
    put_word(head + 4, text_bytes);
    put_word(head + 8, sum = block_checksum(sum, text_bytes, payload));
    file.append(head, sizeof head);
    file += payload;
    error = decode_text(file).error;
    if (error == "s.pmc: the compact form is cut short") error.clear();
  }
  EXPECT_THAT(error, HasSubstr("too many names"));
}

TEST(Checksum, MatchesZlib) {
  EXPECT_EQ(crc32(0, "123456789"), 0xCBF43926u);
  EXPECT_EQ(crc32(crc32(0, "1234"), "56789"), 0xCBF43926u);
}

}  // namespace
}  // namespace physmem
