// SPDX-License-Identifier: MIT
// Files that are truncated, damaged or edited: the reader reports an error and never gives a wrong
// sum.
#include <gtest/gtest.h>

#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

TEST(Damage, IsReportedForEveryPrefixOfASnapshot) {
  for (std::size_t size = 0; size < kSample.size(); ++size)
    EXPECT_NE(read(kSample.substr(0, size)).error, "")
        << "the first " << size << " bytes were taken for a whole snapshot";
}

TEST(Damage, IsReportedForPrefixesOfTwoSnapshotsExceptAtTheFirstEnd) {
  const std::string two = std::string(kSample) + std::string(kSample);
  for (std::size_t size = kSample.size(); size < two.size(); ++size) {
    const Reading reading = read(std::string_view(two).substr(0, size));
    EXPECT_EQ(reading.error.empty(), size == kSample.size()) << "the first " << size << " bytes";
    EXPECT_EQ(reading.snapshots, 1u);
  }
}

/// The message begins with the file name, which is followed by a position or the problem.
void expect_position(const std::string& error) {
  EXPECT_TRUE(error.starts_with("s.txt:")) << error;
}

// Each byte is replaced by three of 19 others, in turn. tests/property and tests/fuzz try others.
TEST(Damage, GivesASnapshotOrAnErrorWithPositionForReplacedBytes) {
  constexpr std::string_view kOthers("\0\n 09AFGz,|=:\\.\x7F\xFF-", 19);
  std::string text(kSample);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char original = text[at];
    for (std::size_t i = 0; i < 3; ++i) {
      text[at] = kOthers[(at * 3 + i) % kOthers.size()];
      const Reading reading = read(text);
      if (!reading.error.empty()) expect_position(reading.error);
      EXPECT_EQ(reading.error.empty(), reading.events.ends_with("end\n") && reading.snapshots == 1)
          << "byte " << at;
      EXPECT_EQ(read(text, true).events.empty(), reading.events.empty()) << "byte " << at;
    }
    text[at] = original;
  }
}

TEST(Damage, GivesTheSameResultInPiecesForRemovedOrDoubledBytes) {
  for (std::size_t at = 0; at < kSample.size(); ++at) {
    std::string removed(kSample);
    removed.erase(at, 1);
    std::string doubled(kSample);
    doubled.insert(at, 1, kSample[at]);
    for (const std::string& text : {removed, doubled}) {
      const Reading whole = read(text);
      PiecewiseSource source(text, 7);
      const Reading pieces = read_from(source);
      EXPECT_EQ(pieces.error, whole.error);
      EXPECT_EQ(pieces.events, whole.events);
    }
  }
}

TEST(Damage, IsReportedForEveryMissingLine) {
  std::size_t from = 0;
  for (int line = 1; from < kSample.size(); ++line) {
    const std::size_t end = kSample.find('\n', from) + 1;
    const bool is_optional = line == 2 || line == 3;  // the E: record does not count G: lines
    const std::string text =
        std::string(kSample.substr(0, from)) + std::string(kSample.substr(end));
    EXPECT_EQ(read(text).error.empty(), is_optional) << "line " << line;
    from = end;
  }
}

TEST(Damage, IsReportedForNumbersOf2To64OrMoreInEveryField) {
  const std::string_view records = kSample.substr(kSample.find("T: cat"));
  const std::string head(kSample.substr(0, kSample.find("T: cat")));
  int fields = 0;
  for (std::size_t at = records.find(", "); at != std::string_view::npos;
       at = records.find(", ", at + 1)) {
    const std::size_t end = records.find_first_of(",|\n", at + 2);
    const std::string_view field = records.substr(at + 2, end - at - 2);
    if (field.find_first_of("/[:") != std::string_view::npos) continue;
    const std::string text = head + std::string(records.substr(0, at)) + ", 99999999999999999999" +
                             std::string(records.substr(end));
    EXPECT_NE(read(text).error.find("below 2^64"), std::string::npos) << field << " at " << at;
    ++fields;
  }
  EXPECT_EQ(fields, 68) << "all fields that hold a number";
}

TEST(Damage, IsReportedForNulBytes) {
  EXPECT_NE(read(std::string(4096, '\0')).error, "");
  EXPECT_NE(read(with(kSample, "/usr/bin/cat", std::string("/usr\0bin/cat", 12)))
                .error.find("control character \\000"),
            std::string::npos);
  EXPECT_NE(read(with(kSample, "M: 55D0C1A00000",
                      std::string("M:\0"
                                  "55D0C1A00000",
                                  15)))
                .error,
            "");
}

}  // namespace
}  // namespace physmem
