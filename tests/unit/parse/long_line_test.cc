// SPDX-License-Identifier: MIT
// Lines of ten megabytes. M: and S: lines may have any length; all others have a limit.
#include <gtest/gtest.h>

#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

constexpr std::size_t kTenMegabytes = 10'000'000;

/// Counts entries and adds up their fields without writing them as text.
class EntrySum : public Events {
 public:
  void on_pages(std::span<const PageRun> runs, const PageSums& /*sums*/) override {
    for_each_page(runs, 4096, [this](const PageRun& page) {
      ++entries;
      sum += page.va + page.value + page.count + page.flags;
    });
  }
  void on_swapped(std::span<const SwapEntry> swapped) override {
    for (const SwapEntry& entry : swapped) {
      ++entries;
      sum += entry.va + entry.type + entry.slot;
    }
  }
  std::uint64_t entries = 0;
  std::uint64_t sum = 0;
};

/// A snapshot of one VMA with `n` pages, which are all in its M: line or all in its S: line.
std::string one_area(std::uint64_t n, bool is_swapped) {
  std::string text = std::string(kHeaderLine) + std::string(kTaskLine);
  const std::uint64_t resident = is_swapped ? 0 : n;
  const std::uint64_t swapped = is_swapped ? n : 0;
  text += fmt::format(
      "V: 10000000, {:08X}, {:08X}, {:08X}, 00000000, 00000003, NULL, 00000000, 00:00, 0\n",
      0x10000000 + (n << 12) - 1, n << 12, resident << 12);
  text += fmt::format("P: {}, 0, 0, {}, 0, {}\n", resident, resident, swapped);
  text += is_swapped ? "S:" : "M:";
  for (std::uint64_t i = 0; i < n; ++i) {
    if (is_swapped)
      fmt::format_to(std::back_inserter(text), " {:08X}=0:{:08X} |", 0x10000000 + (i << 12), i);
    else
      fmt::format_to(std::back_inserter(text), " {:08X}={:08X}, 1, 00005868 |",
                     0x10000000 + (i << 12), i << 12);
  }
  return text + fmt::format("\nE: 1, 1, {}, {}, 0\n", resident, swapped);
}

std::string error_of(std::string_view text, Events& events) {
  const auto source = text_source(text);
  SnapshotReader reader(*source, "s.txt", {});
  const auto found = reader.next(events);
  return found ? "" : found.error().text;
}

TEST(LongLine, IsReadCompletelyForMappings) {
  constexpr std::uint64_t kEntries = 310'000;
  const std::string text = one_area(kEntries, false);
  ASSERT_GT(text.size(), kTenMegabytes);
  EntrySum events;
  EXPECT_EQ(error_of(text, events), "");
  EXPECT_EQ(events.entries, kEntries);
  EXPECT_EQ(events.sum,
            kEntries * (0x10000000 + 1 + 0x5868) + (kEntries * (kEntries - 1) / 2) * 2 * 4096);
}

TEST(LongLine, IsReadCompletelyForSwappedPages) {
  constexpr std::uint64_t kEntries = 500'000;
  const std::string text = one_area(kEntries, true);
  ASSERT_GT(text.size(), kTenMegabytes);
  EntrySum events;
  EXPECT_EQ(error_of(text, events), "");
  EXPECT_EQ(events.entries, kEntries);
  EXPECT_EQ(events.sum, kEntries * 0x10000000 + (kEntries * (kEntries - 1) / 2) * 4097);
}

TEST(LongLine, IsRejectedInAllOtherRecords) {
  const std::string garbage(kTenMegabytes, 'x');
  EXPECT_EQ(read(garbage).error,
            "s.txt:1:1: the line is longer than 1048576 bytes, and only M: and S: lines may be");
  EXPECT_EQ(read(with(kSample, "T: kswapd0", "T: " + garbage)).error,
            "s.txt:12:1: the line is longer than 1048576 bytes, and only M: and S: lines may be");
  EXPECT_TRUE(read(with(kSample, "M: ", "M: " + garbage))
                  .error.starts_with("s.txt:7:4: M: page: found \"xxxxx"));
  EXPECT_TRUE(read(with(kSample, "S: ", "S: " + garbage))
                  .error.starts_with("s.txt:11:4: S: found \"xxxxx"));
}

TEST(LongLine, IsDroppedAsOneLineWithKeepGoing) {
  const Reading reading =
      read(with(kSample, "T: kswapd0", std::string(kTenMegabytes, 'x') + "\nT: kswapd0"), true);
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.notes.dropped_lines, 1u);
  EXPECT_EQ(read(kSample).events.size() - reading.events.size() + std::string("elided\n").size(),
            0u)
      << "all other lines are read";
}

TEST(LongLine, MayHaveBlanksBetweenEntries) {
  const std::string blanks(3 << 20, ' ');
  EXPECT_EQ(read(with(kSample, "M: ", "M: " + blanks)).events, read(kSample).events);
  EXPECT_EQ(read(with(kSample, "S: ", "S: " + blanks)).events, read(kSample).events);
}

}  // namespace
}  // namespace physmem
