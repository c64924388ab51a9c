// SPDX-License-Identifier: MIT
// Compressed snapshots are known by their first bytes; cut or damaged ones are errors, not short
// snapshots.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>

#include "tests/unit/parse/compressed_text.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

class Compressed : public testing::TestWithParam<Compression> {
 protected:
  static Reading read_decoded(std::string_view bytes, std::size_t most = 1 << 20) {
    auto source = decoded(std::make_unique<PiecewiseSource>(bytes, most), "s.txt");
    return source ? read_from(**source) : Reading{"", source.error().text, 0, {}};
  }
  static std::string pack(std::string_view text) { return GetParam().compress(text); }
  static std::string cut_short() {
    const bool is_compact = std::string_view(GetParam().name) == "compact";
    return is_compact ? "s.txt: the compact form is cut short"
                      : "s.txt: the compressed data is cut short";
  }
};

TEST_P(Compressed, IsReadAsIfItWerePlain) {
  EXPECT_EQ(read_decoded(pack(kSample)).events, read(kSample).events);
}

TEST_P(Compressed, IsReadByteByByte) {
  EXPECT_EQ(read_decoded(pack(kSample), 1).events, read(kSample).events);
}

TEST_P(Compressed, MayBeSeveralStreamsOneAfterTheOther) {
  const Reading two = read_decoded(pack(kSample) + pack(kSample));
  EXPECT_EQ(two.error, "");
  EXPECT_EQ(two.snapshots, 2u);
  const std::string split = pack(kSample.substr(0, 500)) + pack(kSample.substr(500));
  EXPECT_EQ(read_decoded(split, 3).events, read(kSample).events);
}

TEST_P(Compressed, IsAnErrorWhereverItIsCut) {
  const std::string bytes = pack(kSample);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Reading reading = read_decoded(std::string_view(bytes).substr(0, size));
    EXPECT_NE(reading.error, "") << "the first " << size << " bytes of " << bytes.size();
  }
}

TEST_P(Compressed, SaysThatItWasCut) {
  const std::string bytes = pack(kSample);
  EXPECT_EQ(read_decoded(std::string_view(bytes).substr(0, bytes.size() - 1)).error, cut_short());
}

/// Where lines may be dropped, nothing goes unsaid: damage that begins where a snapshot has ended
/// belongs to none.
TEST_P(Compressed, SaysWhatWasDamagedBehindTheLastSnapshot) {
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

/// Through a pipe, on a thread of its own: what was compressed is there, and the thread waits for
/// what may follow it.
TEST_P(Compressed, MayBeLeftWhileItsPipeIsOpen) {
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

TEST_P(Compressed, IsNoSnapshotWhenItHoldsNone) {
  EXPECT_EQ(read_decoded(pack("")).error, "s.txt: is empty, expected a snapshot");
  EXPECT_TRUE(read_decoded(pack("hello\n")).error.starts_with("s.txt:1:1: found \"hello\""));
}

TEST_P(Compressed, NeverGivesOtherEventsWhenItIsDamaged) {
  const std::string good = read(kSample).events;
  std::string bytes = pack(kSample);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    const Reading reading = read_decoded(bytes);
    EXPECT_TRUE(!reading.error.empty() || reading.events == good) << "byte " << at;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
  }
}

TEST_P(Compressed, RefusesWhatFollowsTheLastStream) {
  EXPECT_NE(read_decoded(pack(kSample) + "trailing bytes, no stream").error, "");
}

INSTANTIATE_TEST_SUITE_P(As, Compressed, testing::ValuesIn(kCompressions),
                         [](const auto& form) { return std::string(form.param.name); });

}  // namespace
}  // namespace physmem
