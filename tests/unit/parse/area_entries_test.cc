// SPDX-License-Identifier: MIT
// One area of four pages, from 00010000 to 00013FFF: which counts, lists and entries it accepts.
#include "analyzer/parse/area_entries.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace physmem {
namespace {

constexpr std::uint64_t kResident = 0x2000;  ///< two of the four pages

Header header_of(int version, bool has_pages = true) {
  Header header;
  header.version = version;
  header.has_pages = has_pages;
  return header;
}

AreaEntries four_pages(const Header& header = header_of(2)) {
  Vma vma;
  vma.start = 0x10000;
  vma.last = 0x13FFF;
  vma.resident = kResident;
  return {vma, header};
}

/// "COLUMN: TEXT", or nothing.
std::string text_of(const std::optional<Flaw>& flaw) {
  return flaw ? std::to_string(flaw->column) + ": " + flaw->text : "";
}

/// The flaw of a P: line, which is line 4 of its input.
std::string counts_flaw(AreaEntries& area, std::string_view line) {
  LineCursor cursor(line, true);
  area.read_counts(cursor, 4);
  return cursor.ok() ? "" : text_of(cursor.flaw());
}

AreaEntries counted(std::string_view line, const Header& header = header_of(2)) {
  AreaEntries area = four_pages(header);
  EXPECT_EQ(counts_flaw(area, line), "");
  return area;
}

PageSums sums_of(const std::vector<PageRun>& runs) {
  return sum_up(runs, {});
}

/// Adds pages at these addresses, each used once and in a run of its own.
void add_pages(AreaEntries& area, std::initializer_list<std::uint64_t> addresses) {
  for (const std::uint64_t va : addresses) {
    const std::vector<PageRun> run{{va, 0, 1, 1, 0}};
    ASSERT_TRUE(area.fits(run, sums_of(run))) << std::hex << va;
    area.add(run, sums_of(run));
  }
}

/// "PAGE: TEXT" of the first misplaced page, or nothing if the runs fit.
std::string misplaced_of(const AreaEntries& area, const std::vector<PageRun>& runs) {
  const auto found = area.find_misplaced(runs);
  EXPECT_EQ(area.fits(runs, sums_of(runs)), !found) << "both checks must agree";
  return found ? std::to_string(found->page) + ": " + found->text : "";
}

TEST(AreaEntries, AcceptsListsThatAgreeWithTheCounts) {
  AreaEntries area = counted("P: 2, 0, 0, 2, 0, 1");
  EXPECT_EQ(text_of(area.begin_mappings()), "");
  add_pages(area, {0x10000, 0x13000});
  EXPECT_EQ(text_of(area.begin_swapped()), "");
  EXPECT_EQ(text_of(area.add({0x11000, 0, 7}, 4)), "");
  EXPECT_EQ(text_of(area.check()), "");
  EXPECT_FALSE(area.is_miscounted());
  EXPECT_EQ(area.pages(), 2u);
  EXPECT_EQ(area.swapped(), 1u);
}

TEST(AreaEntries, ReturnsTheCountsOfTheLine) {
  AreaEntries area = four_pages();
  LineCursor cursor("P: 2, 1, 1, 1, 1, 2, 1", true);
  const PageCounts counts = area.read_counts(cursor, 4);
  ASSERT_TRUE(cursor.ok());
  EXPECT_EQ(counts.user, 2u);
  EXPECT_EQ(counts.swapped, 2u);
  EXPECT_EQ(counts.unlisted, 1u);
}

TEST(AreaEntries, RejectsCountsAboveTheSizeOfTheArea) {
  for (const auto& [line, flaw] :
       {std::pair{"P: 5, 0, 0, 0, 0, 0",
                  "4: found 5 user, 0 swapped and 0 unlisted pages in an area of 4"},
        {"P: 2, 0, 0, 0, 0, 5", "4: found 2 user, 5 swapped and 0 unlisted pages in an area of 4"},
        {"P: 2, 0, 0, 0, 0, 0, 5",
         "4: found 2 user, 0 swapped and 5 unlisted pages in an area of 4"}}) {
    AreaEntries area = four_pages();
    EXPECT_EQ(counts_flaw(area, line), flaw);
  }
}

TEST(AreaEntries, RejectsCountsThatContradictEachOther) {
  for (const auto& [line, flaw] :
       {std::pair{"P: 2, 3, 0, 2, 0, 0",
                  "4: found 3 executable, 0 read-only, 2 single-use and 0 shared of only 2 pages"},
        {"P: 2, 0, 3, 2, 0, 0",
         "4: found 0 executable, 3 read-only, 2 single-use and 0 shared of only 2 pages"},
        {"P: 2, 0, 0, 2, 1, 0",
         "4: found 0 executable, 0 read-only, 2 single-use and 1 shared of only 2 pages"}}) {
    AreaEntries area = four_pages();
    EXPECT_EQ(counts_flaw(area, line), flaw);
  }
}

TEST(AreaEntries, RejectsCountsThatDifferFromTheResidentSize) {
  AreaEntries area = four_pages();
  EXPECT_EQ(counts_flaw(area, "P: 1, 0, 0, 1, 0, 0"),
            "4: found 1 pages, expected 00002000 bytes as in V:");
  AreaEntries of_version_1 = four_pages(header_of(1));
  EXPECT_EQ(counts_flaw(of_version_1, "P: 1, 0, 0, 1, 0"), "");
}

TEST(AreaEntries, RejectsAMalformedLineOfCounts) {
  AreaEntries area = four_pages();
  EXPECT_EQ(counts_flaw(area, "P: 2, 0, x, 2, 0, 0"),
            R"(10: read-only pages: found "x", expected a decimal number below 2^64)");
  EXPECT_EQ(text_of(area.check()), "1: area 00010000: expected its P: line before this")
      << "malformed counts are not used";
}

TEST(AreaEntries, AcceptsASecondLineOfCountsButNoThird) {
  AreaEntries area = counted("P: 2, 0, 0, 2, 0, 0");
  EXPECT_EQ(text_of(area.begin_mappings()), "");
  add_pages(area, {0x10000});
  EXPECT_EQ(counts_flaw(area, "P: 1, 0, 0, 1, 0, 0"), "") << "V: is not valid any more";
  EXPECT_EQ(text_of(area.check()), "");
  EXPECT_EQ(counts_flaw(area, "P: 1, 0, 0, 1, 0, 0"), "1: found a second one for the same area");
}

TEST(AreaEntries, RejectsASecondLineOfCountsInVersion1AndWithoutPages) {
  AreaEntries of_version_1 = counted("P: 2, 0, 0, 2, 0", header_of(1));
  EXPECT_EQ(counts_flaw(of_version_1, "P: 2, 0, 0, 2, 0"),
            "1: found a second one for the same area");
  AreaEntries without_pages = counted("P: 2, 0, 0, 2, 0, 0", header_of(2, false));
  EXPECT_EQ(counts_flaw(without_pages, "P: 2, 0, 0, 2, 0, 0"),
            "1: found a second one for the same area");
}

TEST(AreaEntries, RejectsListsBeforeTheCounts) {
  AreaEntries area = four_pages();
  EXPECT_EQ(text_of(area.begin_mappings()), "1: without a P: before it");
  EXPECT_EQ(text_of(area.begin_swapped()), "1: without a V: and a P: before it");
}

TEST(AreaEntries, AcceptsListsWithoutCountsIfALineWasDropped) {
  AreaEntries area = four_pages();
  EXPECT_TRUE(area.set_incomplete());
  EXPECT_FALSE(area.set_incomplete()) << "it was incomplete before";
  EXPECT_EQ(text_of(area.begin_mappings()), "");
  EXPECT_EQ(text_of(area.begin_swapped()), "");
}

TEST(AreaEntries, AcceptsMappingsWithoutCountsInVersion1) {
  AreaEntries area = four_pages(header_of(1));
  EXPECT_EQ(text_of(area.begin_mappings()), "");
  EXPECT_EQ(text_of(area.check()), "");
}

TEST(AreaEntries, RejectsListsIfTheSnapshotHasNoPages) {
  AreaEntries area = counted("P: 2, 0, 0, 2, 0, 1", header_of(2, false));
  EXPECT_EQ(text_of(area.begin_mappings()), "1: found in a snapshot whose header says pages=none");
  EXPECT_EQ(text_of(area.begin_swapped()), "1: found in a snapshot whose header says pages=none");
  EXPECT_EQ(text_of(area.check()), "");
  EXPECT_EQ(area.pages(), 2u) << "those counted";
  EXPECT_EQ(area.swapped(), 1u);
}

TEST(AreaEntries, RejectsASecondListOfEachKind) {
  AreaEntries area = counted("P: 2, 0, 0, 2, 0, 1");
  EXPECT_EQ(text_of(area.begin_mappings()), "");
  EXPECT_EQ(text_of(area.begin_mappings()), "1: found a second one for the same area");
  EXPECT_EQ(text_of(area.begin_swapped()), "");
  EXPECT_EQ(text_of(area.begin_swapped()), "1: found a second one for the same area");
}

TEST(AreaEntries, AcceptsRunsInTheAreaInAscendingOrder) {
  const AreaEntries area = four_pages();
  EXPECT_EQ(misplaced_of(area, {{0x10000, 0x5000, 4, 1, 0}}), "") << "all pages of the area";
  EXPECT_EQ(misplaced_of(area, {{0x10000, 0x5000, 1, 1, 0}, {0x13000, 0x5000, 1, 1, 0}}), "");
}

TEST(AreaEntries, FindsTheFirstMisplacedPageOfRuns) {
  const AreaEntries area = four_pages();
  EXPECT_EQ(misplaced_of(area, {{0x0F000, 0, 2, 1, 0}}),
            "0: virtual address 0000F000 lies outside its area (00010000 to 00013FFF)");
  EXPECT_EQ(misplaced_of(area, {{0x12000, 0, 3, 1, 0}, {0x10001, 0, 1, 1, 0}}),
            "2: virtual address 00014000 lies outside its area (00010000 to 00013FFF)");
  EXPECT_EQ(misplaced_of(area, {{0x10000, 0, 2, 1, 0}, {0x12010, 0, 1, 1, 0}}),
            "2: virtual address 00012010 is not aligned to a page (00010000 to 00013FFF)");
  EXPECT_EQ(misplaced_of(area, {{0x10000, 0, 2, 1, 0}, {0x11000, 0, 1, 1, 0}}),
            "2: virtual address 00011000 does not come after the entry before it (00010000 to "
            "00013FFF)");
}

TEST(AreaEntries, ComparesRunsWithTheLastEntryOfTheSameList) {
  AreaEntries area = counted("P: 2, 0, 0, 2, 0, 1");
  EXPECT_EQ(text_of(area.begin_mappings()), "");
  add_pages(area, {0x12000});
  EXPECT_EQ(misplaced_of(area, {{0x12000, 0, 1, 1, 0}}),
            "0: virtual address 00012000 does not come after the entry before it (00010000 to "
            "00013FFF)");
  EXPECT_EQ(misplaced_of(area, {{0x13000, 0, 1, 1, 0}}), "");
  EXPECT_EQ(text_of(area.begin_swapped()), "");
  EXPECT_EQ(text_of(area.add({0x10000, 0, 7}, 4)), "") << "another list";
}

TEST(AreaEntries, AcceptsTheLastPageOfTheAddressSpaceButNoRunBeyondIt) {
  Vma vma;
  vma.start = ~std::uint64_t{0} - 0x1FFF;
  vma.last = ~std::uint64_t{0};
  const AreaEntries area(vma, header_of(2));
  EXPECT_EQ(misplaced_of(area, {{vma.start, 0, 2, 1, 0}}), "");
  EXPECT_EQ(misplaced_of(area, {{vma.start, 0, 3, 1, 0}}),
            "2: virtual address 00000000 lies outside its area (FFFFFFFFFFFFE000 to "
            "FFFFFFFFFFFFFFFF)");
}

TEST(AreaEntries, RejectsAMisplacedSwappedEntryAndDoesNotCountIt) {
  AreaEntries area = counted("P: 2, 0, 0, 2, 0, 1");
  EXPECT_EQ(text_of(area.begin_swapped()), "");
  EXPECT_EQ(text_of(area.add({0x11000, 0, 7}, 4)), "");
  EXPECT_EQ(text_of(area.add({0x11000, 0, 8}, 20)),
            "20: virtual address 00011000 does not come after the entry before it (00010000 to "
            "00013FFF)");
  EXPECT_EQ(text_of(area.add({0x14000, 0, 8}, 20)),
            "20: virtual address 00014000 lies outside its area (00010000 to 00013FFF)");
  EXPECT_EQ(area.swapped(), 1u);
}

TEST(AreaEntries, ReportsEntriesThatDifferFromTheCounts) {
  AreaEntries area = counted("P: 2, 0, 0, 2, 0, 1");
  add_pages(area, {0x10000});
  EXPECT_EQ(text_of(area.check()),
            "1: area 00010000: P: on line 4: found 2 pages and 1 swapped, expected 1 and 0 as in "
            "M: and S:");
}

TEST(AreaEntries, ReportsUseCountsThatDifferFromTheCounts) {
  AreaEntries area = counted("P: 2, 0, 0, 2, 0, 0");
  const std::vector<PageRun> runs{{0x10000, 0, 1, 1, 0}, {0x11000, 0, 1, 3, 0}};
  area.add(runs, sums_of(runs));
  EXPECT_EQ(text_of(area.check()),
            "1: area 00010000: P: on line 4: found 2 single-use and 0 shared pages, expected 1 and "
            "1 as in M:");
}

TEST(AreaEntries, ChecksNothingIfTheAreaIsIncomplete) {
  AreaEntries area = counted("P: 2, 0, 0, 2, 0, 1");
  area.set_incomplete();
  EXPECT_EQ(text_of(area.check()), "");
  EXPECT_FALSE(area.is_miscounted());
}

TEST(AreaEntries, OnlyNotesEntriesThatDifferFromTheCountsInVersion1) {
  AreaEntries area = counted("P: 2, 0, 0, 2, 0", header_of(1));
  add_pages(area, {0x10000});
  EXPECT_EQ(text_of(area.check()), "");
  EXPECT_TRUE(area.is_miscounted());
}

}  // namespace
}  // namespace physmem
