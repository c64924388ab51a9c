// SPDX-License-Identifier: MIT
// The scanner has a fast path for entries of the same shape as the one before, with each entry
// reader that this CPU supports. The result is always the same as on the strict path.
#include "analyzer/parse/mapping_scanner.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

/// A VMA of 4000 pages with these entries for some of them.
std::string snapshot_of(const std::string& entries, std::size_t n, std::size_t single = 0,
                        std::size_t shared = 0) {
  return std::string(kHeaderLine) + std::string(kTaskLine) +
         fmt::format(
             "V: 10000000, 10F9FFFF, 00FA0000, {:08X}, 00000000, 00000003, NULL, 00000000, 00:00, "
             "0\n"
             "P: {}, 0, 0, {}, {}, 0\nM:{}\nE: 1, 1, {}, 0, 0\n",
             n << 12, n, single, shared, entries, n);
}

struct RandomEntries {
  std::string fixed;    ///< each field as wide as in every other entry
  std::string varying;  ///< the same numbers, in varying widths
  std::size_t single = 0;
  std::size_t shared = 0;
};

RandomEntries random_entries(std::uint64_t seed, std::size_t n) {
  std::mt19937_64 random(seed);
  RandomEntries entries;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t va = 0x10000000 + (i << 12);
    const std::uint64_t value = random() >> (random() % 64);
    const std::uint64_t count = random() >> (random() % 64);
    const std::uint64_t flags = random() >> (random() % 64);
    entries.single += count == 1 ? 1 : 0;
    entries.shared += count > 1 ? 1 : 0;
    entries.fixed += fmt::format(" {:016X}={:016X}, {:020}, {:016X} |", va, value, count, flags);
    entries.varying += fmt::format("{:{}}{:X}={:0{}x},{:{}}{},{:{}}{:0{}X}{:{}}|", "", random() % 3,
                                   va, value, random() % 17, "", random() % 3, count, "",
                                   random() % 3, flags, random() % 17, "", random() % 3);
  }
  return entries;
}

TEST(Scanner, GivesTheSameEventsForFixedAndVaryingWidths) {
  const RandomEntries entries = random_entries(1, 200);
  const Reading varying = read(snapshot_of(entries.varying, 200, entries.single, entries.shared));
  ASSERT_EQ(varying.error, "");
  for (const EntryReader& reader : entry_readers()) {
    const std::string text = snapshot_of(entries.fixed, 200, entries.single, entries.shared);
    const Reading fixed = read(text, false, reader);
    ASSERT_EQ(fixed.error, "");
    ASSERT_EQ(fixed.events, varying.events) << reader.name;
  }
}

TEST(Scanner, GivesTheSameEventsInPiecesOfAnySize) {
  const RandomEntries entries = random_entries(1, 1500);
  const std::string text = snapshot_of(entries.varying, 1500, entries.single, entries.shared);
  const Reading whole = read(text);
  ASSERT_EQ(whole.error, "");
  for (const std::size_t max_piece : {1u, 2u, 3u, 7u, 64u, 161u, 4096u}) {
    PiecewiseSource source(text, max_piece);
    EXPECT_TRUE(read_from(source).events == whole.events) << "pieces of up to " << max_piece;
  }
}

TEST(Scanner, ReadsTheExampleByteByByte) {
  for (const std::size_t max_piece : {1u, 2u, 3u, 4u, 5u, 6u, 7u}) {
    PiecewiseSource source(kSample, max_piece);
    const Reading pieces = read_from(source);
    EXPECT_EQ(pieces.error, "") << "pieces of up to " << max_piece;
    EXPECT_EQ(pieces.events, read(kSample).events);
    EXPECT_EQ(pieces.notes.unknown_records, 0u);
  }
}

/// Covers entries of 64 bytes and more, and tails that do not fit into a vector.
TEST(Scanner, ReadsEntriesOfEveryLength) {
  for (const EntryReader& reader : entry_readers())
    for (int width = 1; width <= 9; ++width)
      for (int flags = 1; flags <= 16; ++flags) {
        std::string entries;
        std::string same;
        for (int i = 0; i < 20; ++i) {
          entries += fmt::format(" {:016X}={:016X}, {:0{}}, {:0{}X} |", 0x10000000 + i * 4096,
                                 0x123456000 + i, 2, width, 0x5, flags);
          same += fmt::format(" {:X}={:X}, 2, 5 |", 0x10000000 + i * 4096, 0x123456000 + i);
        }
        ASSERT_EQ(read(snapshot_of(entries, 20, 0, 20), false, reader).events,
                  read(snapshot_of(same, 20, 0, 20)).events)
            << reader.name << ": a count of " << width << ", flags of " << flags << " digits";
      }
}

TEST(Scanner, ContinuesAfterAFullBatch) {
  const std::string margin(64, ' ');
  std::string entries;
  for (int i = 0; i < 600; ++i)
    entries += fmt::format(" {:08X}=00001000, 1, 00000868 |", 0x10000000 + i * 4096);
  const std::string buffer = margin + entries + "\n" + margin;
  std::string_view text = std::string_view(buffer).substr(margin.size(), entries.size() + 1);
  MappingScanner scanner;
  PageBatch batch;
  EXPECT_EQ(scanner.scan(text, true, batch), MappingScanner::Stop::kBatchFull);
  ASSERT_LE(batch.size, PageBatch::kCapacity);
  ASSERT_EQ(batch.sums.pages, batch.size) << "no frame follows another";
  EXPECT_EQ(scanner.entry(batch.sums.pages - 1), text.data() - 32)
      << "the position of each entry is known";
  const std::uint64_t first = batch.sums.pages;
  batch.clear();
  EXPECT_EQ(scanner.scan(text, true, batch), MappingScanner::Stop::kLineEnd);
  EXPECT_EQ(batch.sums.pages, 600 - first);
  EXPECT_EQ(text, "\n");
}

TEST(Scanner, MergesAdjacentPagesIntoRuns) {
  const std::string entries =
      " 10000000=00001000, 1, 00000868 | 10001000=00002000, 1, 00000868 | 10002000=00003000, 1, "
      "00000868 |"
      " 10003000=00008000, 1, 00000868 | 10005000=00009000, 1, 00000868 | 10006000=0000A000, 2, "
      "00000868 |"
      " 10007000=0000B000, 2, 00000869 |\n";
  const std::string buffer = std::string(64, ' ') + entries + std::string(300, ' ');
  for (const EntryReader& reader : entry_readers()) {
    std::string_view text = std::string_view(buffer).substr(64, entries.size());
    MappingScanner scanner(reader);
    PageBatch batch;
    EXPECT_EQ(scanner.scan(text, true, batch), MappingScanner::Stop::kLineEnd);
    std::string runs;
    for (const PageRun& run : batch.runs()) runs += fmt::format("{:X}+{} ", run.value, run.pages);
    EXPECT_EQ(runs, "1000+3 8000+1 9000+1 A000+1 B000+1 ") << reader.name;
  }
}

}  // namespace
}  // namespace physmem
