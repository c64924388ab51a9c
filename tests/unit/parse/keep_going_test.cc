// SPDX-License-Identifier: MIT
// --keep-going: malformed lines are dropped and counted, and the others are read.
#include <gtest/gtest.h>

#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

Reading keep_going(std::string_view from, std::string_view to) {
  return read(with(kSample, from, to), true);
}

/// The events of the example without the lines that contain one of `gone`.
std::string sample_without(const std::vector<std::string>& gone) {
  std::string kept;
  const std::string all = read(kSample).events;
  for (std::size_t from = 0; from < all.size();) {
    const std::size_t end = all.find('\n', from) + 1;
    const std::string line = all.substr(from, end - from);
    if (std::none_of(gone.begin(), gone.end(),
                     [&](const auto& word) { return line.find(word) != std::string::npos; }))
      kept += line;
    from = end;
  }
  return kept;
}

TEST(KeepGoing, ChangesNothingInAGoodSnapshot) {
  const Reading reading = read(kSample, true);
  EXPECT_EQ(reading.events, read(kSample).events);
  EXPECT_FALSE(reading.notes.data_is_missing());
}

TEST(KeepGoing, DropsTheVmasOfADroppedTask) {
  const Reading reading = keep_going("T: cat     , 371", "T: cat     , x71");
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.events, sample_without({"cat", "[stack]", "counts", "page ", "swapped"}));
  EXPECT_EQ(reading.notes.dropped_lines, 8u) << "T:, two V: with P: and M:, one S:";
  EXPECT_EQ(reading.notes.first_problem,
            R"(s.txt:4:14: T: pid: found "x71", expected a decimal number below 2^64)");
}

TEST(KeepGoing, DropsTheLinesOfADroppedVma) {
  const Reading reading = keep_going("V: 55D0C1A00000", "V: 55D0C1A0000Z");
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.events, sample_without({"bin/cat", "counts 2", "page 55D0"}));
  EXPECT_EQ(reading.notes.dropped_lines, 3u);
}

TEST(KeepGoing, ReadsThePagesOfAVmaWithMalformedCounts) {
  const Reading reading = keep_going("P: 1, 0, 0, 1, 0, 1", "P: 1, 0, 0, 1, 0");
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.notes.dropped_lines, 1u);
  EXPECT_NE(reading.events.find(
                "elided\npage 7FFD3E020000=2C0F5000 1 5868\nswapped 7FFD3E01F000=0:2A4\n"),
            std::string::npos)
      << reading.events;
}

TEST(KeepGoing, ReadsTheMappingsBeforeAMalformedOne) {
  const Reading reading = keep_going("| 55D0C1A01000=", "| 55D0C1A01000:");
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.notes.dropped_lines, 1u);
  EXPECT_NE(reading.events.find("page 55D0C1A00000=1A2B3000 2 86C\nelided\nvma 7FFD"),
            std::string::npos)
      << reading.events;
}

TEST(KeepGoing, ReadsTheMappingsBeforeOneOutsideTheVma) {
  const Reading reading = keep_going("| 55D0C1A01000=", "| 55D0C1A02000=");
  EXPECT_EQ(reading.error, "");
  EXPECT_NE(reading.events.find("page 55D0C1A00000=1A2B3000 2 86C\nelided\nvma 7FFD"),
            std::string::npos)
      << reading.events;
}

TEST(KeepGoing, KeepsTheLineAfterAnIncompleteVma) {
  const Reading reading = keep_going("M: 7FFD3E020000=2C0F5000, 1, 00005868 |\n", "");
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.notes.dropped_lines, 1u);
  EXPECT_NE(reading.events.find("elided\ntask \"kswapd0\""), std::string::npos) << reading.events;
  EXPECT_TRUE(reading.events.ends_with("end\n"));
}

TEST(KeepGoing, ReportsATruncatedSnapshot) {
  const Reading reading = keep_going("E: 2, 2, 3, 1, 0\n", "");
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.notes.truncated, 1u);
  EXPECT_TRUE(reading.notes.data_is_missing());
  EXPECT_EQ(reading.events, read(kSample).events);
}

TEST(KeepGoing, CountsAMismatchedEndAsADroppedLine) {
  const Reading reading = keep_going("E: 2", "E: 3");
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.notes.dropped_lines, 1u);
  EXPECT_EQ(reading.events, read(kSample).events);
}

TEST(KeepGoing, ReadsRecordLettersWithinAMappingAsNoRecord) {
  const Reading reading = keep_going("| 55D0C1A01000=", "| T: V: 55D0C1A01000=");
  EXPECT_EQ(reading.error, "");
  EXPECT_NE(reading.events.find("[stack]"), std::string::npos)
      << "the task and its next VMA are read";
}

TEST(KeepGoing, RejectsNonSnapshotsAndUnknownHeaderVersions) {
  EXPECT_NE(read("\x7f"
                 "ELF",
                 true)
                .error,
            "");
  EXPECT_NE(read("", true).error, "");
  EXPECT_NE(keep_going("H: 2", "H: 9").error, "");
}

TEST(KeepGoing, ReadsTheSnapshotsBeforeATruncatedHeader) {
  for (const char* cut : {"H:", "H: 2, arch=x86", "H: 9"}) {
    const Reading reading = read(std::string(kSample) + cut, true);
    EXPECT_EQ(reading.error, "") << cut;
    EXPECT_EQ(reading.snapshots, 1u) << cut;
    EXPECT_EQ(reading.notes.truncated, 1u) << cut;
    EXPECT_EQ(reading.events, read(kSample).events) << cut;
    EXPECT_NE(read(cut, true).error, "") << cut;
  }
}

TEST(KeepGoing, GivesOneHeaderPerSnapshotAfterDroppedLines) {
  const Reading reading = read("T: broken\n" + std::string(kSample), true);
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.snapshots, 2u);
  EXPECT_TRUE(reading.events.ends_with(read(kSample).events));
}

}  // namespace
}  // namespace physmem
