// SPDX-License-Identifier: MIT
// Huge pages that processes map as a whole, by the flags of their pages.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analyzer/analyze/process/huge_mappings.h"
#include "analyzer/analyze/process/memory_uses.h"
#include "formats/emit/flags.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

constexpr std::uint64_t kAnonHead =
    PM_PAGE_THP | PM_PAGE_ANON | PM_PAGE_SWAPBACKED | PM_PAGE_COMPOUND_HEAD;
constexpr std::uint64_t kAnonTail = kAnonHead ^ PM_PAGE_COMPOUND_HEAD ^ PM_PAGE_COMPOUND_TAIL;
constexpr std::uint64_t kFileHead = PM_PAGE_THP | PM_PAGE_COMPOUND_HEAD;
constexpr std::uint64_t kFileTail = PM_PAGE_THP | PM_PAGE_COMPOUND_TAIL;

constexpr std::uint64_t kHuge = 2U << 20;
constexpr std::uint64_t kVa = 0x7F0000000000, kFrame = 0x100000000;

HugeMappings mappings(std::uint64_t page_bytes = 4096, const char* arch = "x86_64") {
  Header header;
  header.arch = arch;
  header.page_size.bytes = page_bytes;
  header.phys_mask = 0xFFFFFFFFFF000;
  header.stable_flags = true;
  HugeMappings mappings;
  mappings.begin(header);
  mappings.begin_area();
  return mappings;
}

/// The pages of one folio: its head, then its tails.
std::vector<PageRun> folio(std::uint64_t pages, std::uint64_t va = kVa,
                           std::uint64_t value = kFrame, std::uint64_t head = kAnonHead,
                           std::uint64_t tail = kAnonTail) {
  return {{va, value, 1, 1, head}, {va + 4096, value + 4096, pages - 1, 1, tail}};
}

std::uint64_t anonymous(const std::vector<PageRun>& runs) {
  const HugeUse use = mappings().add(runs);
  EXPECT_EQ(use.file, 0U);
  return use.anon;
}

TEST(HugeMappings, CountAWholeFolioAtAMultipleOfItsSize) {
  EXPECT_EQ(anonymous(folio(512)), 512U);
  const HugeUse file = mappings().add(folio(512, kVa, kFrame, kFileHead, kFileTail));
  EXPECT_EQ(file.file, 512U);
  EXPECT_EQ(file.anon, 0U);
}

TEST(HugeMappings, LeaveOutFoliosOfOtherSizesAndPlaces) {
  EXPECT_EQ(anonymous(folio(511)), 0U) << "a part of one";
  EXPECT_EQ(anonymous(folio(512, kVa + 4096)), 0U) << "mapped page by page";
  EXPECT_EQ(anonymous(folio(512, kVa, kFrame + 4096)), 0U) << "no huge page begins there";
  std::vector<PageRun> small;
  for (std::uint64_t at = 0; at < kHuge; at += 65536)
    for (const PageRun& run : folio(16, kVa + at, kFrame + at)) small.push_back(run);
  EXPECT_EQ(anonymous(small), 0U) << "large folios of 64 KiB that follow each other";
}

TEST(HugeMappings, LeaveOutWhatIsInterrupted) {
  std::vector<PageRun> hole = folio(256);
  hole.push_back({kVa + 257 * 4096, kFrame + 257 * 4096, 255, 1, kAnonTail});
  EXPECT_EQ(anonymous(hole), 0U) << "a page is missing";
  std::vector<PageRun> moved = folio(256);
  moved.push_back({kVa + 256 * 4096, kFrame + kHuge, 256, 1, kAnonTail});
  EXPECT_EQ(anonymous(moved), 0U) << "another frame";
}

TEST(HugeMappings, LeaveOutTheHugeZeroPageAndHugetlb) {
  EXPECT_EQ(anonymous(folio(512, kVa, kFrame, kAnonHead | PM_PAGE_ZERO_PAGE, kAnonTail)), 0U);
  const std::uint64_t hugetlb = PM_PAGE_HUGE | PM_PAGE_COMPOUND_HEAD;
  EXPECT_EQ(anonymous(folio(512, kVa, kFrame, hugetlb, PM_PAGE_HUGE | PM_PAGE_COMPOUND_TAIL)), 0U);
}

TEST(HugeMappings, GoOnInTheNextRunsOfTheArea) {
  HugeMappings found = mappings();
  const std::vector<PageRun> runs = folio(512);
  EXPECT_EQ(found.add(std::span(runs).first(1)).pages(), 0U);
  EXPECT_EQ(found.add(std::span(runs).subspan(1)).pages(), 512U);
  EXPECT_EQ(found.add(std::span(runs).first(1)).pages(), 0U);
  found.begin_area();
  EXPECT_EQ(found.add(std::span(runs).subspan(1)).pages(), 0U) << "another area";
}

TEST(HugeMappings, KnowTheSizeOfEachArchitecture) {
  const auto is_whole = [](std::uint64_t page_bytes, const char* arch, std::uint64_t pages) {
    const std::vector<PageRun> runs{
        {kVa, kFrame, 1, 1, kAnonHead},
        {kVa + page_bytes, kFrame + page_bytes, pages - 1, 1, kAnonTail}};
    return mappings(page_bytes, arch).add(runs).anon == pages;
  };
  EXPECT_TRUE(is_whole(16384, "aarch64", 2048));
  EXPECT_TRUE(is_whole(65536, "ppc64le", 32));
  EXPECT_TRUE(is_whole(4096, "s390x", 256));
}

TEST(HugeMappings, AreUnknownWithoutFlags) {
  HugeMappings found;
  found.begin({});
  EXPECT_FALSE(found.is_known());
  EXPECT_EQ(found.add(folio(512)).pages(), 0U);
}

/// A process with a huge page of memory, and one without.
constexpr std::string_view kTwo =
    R"(T: big     , 10, 0000000A, 1, 0, 0, 0, 0, 0, 0, 10, 100, 1, 0, 0, 0, 0, 0, /
V: 7F0000000000, 7F00003FFFFF, 00400000, 00201000, 00000000, 00000003, NULL, 00000000, 00:00, 0
P: 513, 0, 0, 513, 0, 0
M: 7F0000000000=100000000, 1, 0040D868 | MORE7F0000200000=00091000, 1, 00005868 |
T: small   , 11, 0000000B, 1, 0, 0, 0, 0, 0, 0, 11, 200, 1, 0, 0, 0, 0, 0, /
V: 7FFD3E000000, 7FFD3E003FFF, 00004000, 00002000, 00000000, 00000003, NULL, 00000000, 00:00, 0
P: 2, 0, 0, 2, 0, 0
M: 7FFD3E001000=00093000, 1, 00005868 | 7FFD3E002000=00094000, 1, 00005868 |
E: 2, 2, 515, 0, 0
)";

std::string two_processes() {
  std::string tails;
  for (std::uint64_t page = 1; page < 512; ++page)
    tails += fmt::format("{:X}={:X}, 1, 00415868 | ", kVa + page * 4096, kFrame + page * 4096);
  return std::string(kHeaderLine) + with(std::string(kTwo), "MORE", tails);
}

TEST(HugeMappings, AreCountedPerProcessAndPerUnit) {
  MemoryUses uses, units(UseGrouping::kUnit);
  uses.count_pages();
  units.count_pages();
  ProcessHugePages processes;
  fold(two_processes(), {&uses, &units, &processes});
  EXPECT_TRUE(uses.knows_flags());
  EXPECT_EQ(uses.rows().at(0).use.flagged.huge, 512U);
  EXPECT_EQ(uses.rows().at(1).use.flagged.huge, 0U);
  EXPECT_EQ(units.rows().at(0).use.flagged.huge, 512U);
  ASSERT_EQ(processes.rows().size(), 2U);
  EXPECT_EQ(processes.rows().at(0).name, "small") << "two small pages";
  EXPECT_EQ(processes.rows().at(1).anonymous, 513U);
  EXPECT_EQ(processes.rows().at(1).small(), 1U);
}

}  // namespace
}  // namespace physmem
