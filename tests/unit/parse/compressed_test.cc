// SPDX-License-Identifier: MIT
// Compressed snapshots are recognized by their first bytes. Truncated or damaged data is an error,
// never a short snapshot.
#include <gtest/gtest.h>
#include <lzma.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>

#include "analyzer/parse/open_source.h"
#include "tests/unit/parse/compressed_text.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

class Compressed : public testing::TestWithParam<Compression> {
 protected:
  static Reading read_decoded(std::string_view bytes, std::size_t max_piece = 1 << 20) {
    auto source = decoded(std::make_unique<PiecewiseSource>(bytes, max_piece), "s.txt");
    return source ? read_from(**source) : Reading{"", source.error().text, 0, {}};
  }
  static std::string pack(std::string_view text) { return GetParam().compress(text); }
  static std::string cut_short() {
    const bool is_compact = std::string_view(GetParam().name) == "compact";
    return is_compact ? "s.txt: the compact form is cut short"
                      : "s.txt: the compressed data is cut short";
  }
};

TEST_P(Compressed, GivesTheEventsOfThePlainText) {
  EXPECT_EQ(read_decoded(pack(kSample)).events, read(kSample).events);
}

TEST_P(Compressed, GivesTheSameEventsByteByByte) {
  EXPECT_EQ(read_decoded(pack(kSample), 1).events, read(kSample).events);
}

TEST_P(Compressed, ReadsConcatenatedStreams) {
  const Reading two = read_decoded(pack(kSample) + pack(kSample));
  EXPECT_EQ(two.error, "");
  EXPECT_EQ(two.snapshots, 2u);
  const std::string split = pack(kSample.substr(0, 500)) + pack(kSample.substr(500));
  EXPECT_EQ(read_decoded(split, 3).events, read(kSample).events);
}

TEST_P(Compressed, ReportsTruncationAtEveryByte) {
  const std::string bytes = pack(kSample);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Reading reading = read_decoded(std::string_view(bytes).substr(0, size));
    EXPECT_NE(reading.error, "") << "the first " << size << " bytes of " << bytes.size();
  }
}

TEST_P(Compressed, NamesTruncationInTheMessage) {
  const std::string bytes = pack(kSample);
  EXPECT_EQ(read_decoded(std::string_view(bytes).substr(0, bytes.size() - 1)).error, cut_short());
}

/// With keep_going, damage is still reported. Damage after the end of a snapshot belongs to no
/// snapshot.
TEST_P(Compressed, ReportsDamageAfterTheLastSnapshot) {
  const std::string bytes = pack(kSample) + pack(kSample).substr(0, 15);
  auto source = decoded(text_source(bytes), "s.txt");
  ASSERT_TRUE(source);
  SnapshotReader reader(**source, "s.txt", {.keep_going = true});
  EventText events;
  const auto first = reader.next(events);
  ASSERT_TRUE(first);
  EXPECT_TRUE(*first);
  EXPECT_EQ(reader.notes().truncated, 0u);
  const auto second = reader.next(events);
  ASSERT_TRUE(second);
  EXPECT_FALSE(*second);
  EXPECT_EQ(reader.notes().truncated, 1u);
  EXPECT_EQ(reader.notes().first_problem, cut_short());
}

/// A separate thread reads the pipe. The compressed data has arrived, and the thread waits for data
/// that may follow.
TEST_P(Compressed, ClosesWhileItsPipeIsOpen) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const std::string bytes = pack("H: 2, ");
  ASSERT_EQ(write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  {
    const auto source = open_source("/proc/self/fd/" + std::to_string(ends[0]), Undo::kAll, true);
    ASSERT_TRUE(source);
  }
  close(ends[0]);
  close(ends[1]);
}

TEST_P(Compressed, RejectsDataWithoutASnapshot) {
  EXPECT_EQ(read_decoded(pack("")).error, "s.txt: is empty, expected a snapshot");
  EXPECT_TRUE(read_decoded(pack("hello\n")).error.starts_with("s.txt:1:1: found \"hello\""));
}

TEST_P(Compressed, NeverGivesOtherEventsForDamagedData) {
  const std::string good = read(kSample).events;
  std::string bytes = pack(kSample);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    const Reading reading = read_decoded(bytes);
    EXPECT_TRUE(!reading.error.empty() || reading.events == good) << "byte " << at;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
  }
}

TEST_P(Compressed, RejectsBytesAfterTheLastStream) {
  EXPECT_NE(read_decoded(pack(kSample) + "trailing bytes, no stream").error, "");
}

/// The first error when `bytes` are decoded to the end.
Error error_of_decoding(const std::string& bytes) {
  auto source = decoded(text_source(bytes), "s.txt");
  std::array<char, 4096> text;
  for (auto n = (*source)->read(text.data(), text.size());;
       n = (*source)->read(text.data(), text.size())) {
    if (!n) return n.error();
    if (*n == 0) return {};
  }
}

/// The size of the dictionary is two bytes after the id of the filter, in a header with a CRC32.
std::string xz_with_a_dictionary_of_3_gib() {
  constexpr std::size_t kHeader = 12;
  std::string bytes = kCompressions[2].compress(kSample);
  const std::size_t end = kHeader + 4 * static_cast<unsigned char>(bytes[kHeader]);
  bytes[bytes.find("\x21\x01", kHeader) + 2] = 39;
  const std::uint32_t sum =
      lzma_crc32(reinterpret_cast<const std::uint8_t*>(&bytes[kHeader]), end - kHeader, 0);
  for (std::size_t i = 0; i < 4; ++i) bytes[end + i] = static_cast<char>(sum >> (8 * i));
  return bytes;
}

TEST(CompressedData, ReportsExcessiveMemoryUseAsAnIoError) {
  ASSERT_STREQ(kCompressions[2].name, "xz");
  const Error xz = error_of_decoding(xz_with_a_dictionary_of_3_gib());
  EXPECT_EQ(xz.kind, Error::Kind::kIo);
  EXPECT_EQ(xz.text,
            "s.txt: the compressed data needs more than 1 GiB of memory; decompress it first "
            "(xz -d)");
  // A zstd frame with a window of 2 GiB and an empty block.
  const Error zstd = error_of_decoding(std::string("\x28\xb5\x2f\xfd\x00\xa8\x01\0\0", 9));
  EXPECT_EQ(zstd.kind, Error::Kind::kIo);
  EXPECT_EQ(zstd.text,
            "s.txt: the compressed data needs a window above 128 MiB; decompress it first "
            "(zstd -d --long=31)");
}

INSTANTIATE_TEST_SUITE_P(As, Compressed, testing::ValuesIn(kCompressions),
                         [](const auto& form) { return std::string(form.param.name); });

}  // namespace
}  // namespace physmem
