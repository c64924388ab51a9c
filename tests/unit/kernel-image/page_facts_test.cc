// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "formats/emit/flags.h"
#include "tests/unit/kernel-image/fake_kernel.h"

namespace physmem::crash {
namespace {

constexpr std::uint64_t kZeroPfn = 0x777;

/// Flags of kpageflags as the letters of tools/mm/page-types.c.
std::string letters(std::uint64_t flags) {
  static constexpr const char* kNames = "LERUDlASWIBMasbHTGuXnxtozig";
  std::string text;
  for (int bit = 0; bit < 27; ++bit)
    if (flags >> bit & 1) text += kNames[bit];
  return text;
}

class PageFacts : public testing::Test {
 protected:
  explicit PageFacts(Era era = Era::k6_1) : kernel(era) {}

  /// "COUNT LETTERS".
  std::string page(pm_frame frame) {
    const Opened image(kernel);
    pm_page record{};
    frame.page = pm_page_of(image.get(), frame.pfn);
    pm_describe_page(image.get(), &frame, &record);
    return fmt::format("{} {}{}", record.count, letters(record.flags),
                       image->notes.frame_excluded != 0 ? ", noted" : "");
  }
  std::string page(std::uint64_t pfn) { return page({pfn, 0, false, false}); }
  std::string page_of_pmd(std::uint64_t pfn) { return page({pfn, 0, true, false}); }
  std::string page_of_hugetlb(std::uint64_t pfn) { return page({pfn, 0, true, true}); }

  FakeKernel kernel;
};

class NewPageFacts : public PageFacts {
 protected:
  NewPageFacts() : PageFacts(Era::k6_12) {}
};

struct Translation {
  const char* kernels;
  const char* letter;
};

TEST_F(PageFacts, TranslatesEachFlag) {
  constexpr Translation kFlags[] = {
      {"PG_locked", "L"},   {"PG_error", "E"},      {"PG_referenced", "R"}, {"PG_uptodate", "U"},
      {"PG_dirty", "D"},    {"PG_lru", "l"},        {"PG_active", "A"},     {"PG_writeback", "W"},
      {"PG_reclaim", "I"},  {"PG_swapbacked", "b"}, {"PG_swapcache", ""},   {"PG_unevictable", "u"},
      {"PG_hwpoison", "X"}, {"PG_idle", "i"},       {"PG_private", ""}};
  for (const Translation& flag : kFlags) {
    kernel.set_frame(0x1000, {.mapcount = 0, .flags = {flag.kernels}, .mapping = 0});
    EXPECT_EQ(page(0x1000), std::string("0 ") + flag.letter) << flag.kernels;
  }
}

TEST_F(PageFacts, DoesNotSetFlagThatKernelLacks) {
  kernel.set_frame(
      0x1000,
      {.mapcount = 0, .flags = {"PG_error", "PG_idle", "PG_hwpoison", "PG_lru"}, .mapping = 0});
  for (const char* flag : {"PG_error", "PG_idle", "PG_hwpoison"}) kernel.types.hide(flag);
  EXPECT_EQ(page(0x1000), "0 l");
}

TEST_F(PageFacts, AddsOneToMapcount) {
  for (const std::int64_t mapcount : {0, 1, 2, 1000000}) {
    kernel.set_frame(0x1000, {.mapcount = mapcount, .flags = {}, .mapping = kFileMapping});
    EXPECT_EQ(page(0x1000), fmt::format("{} {}", mapcount, mapcount != 0 ? "M" : ""));
  }
}

TEST_F(PageFacts, IgnoresPageTypeInPlaceOfMapcount) {
  kernel.set_frame(0x1000, {.mapcount = -127, .flags = {}, .mapping = 0});
  EXPECT_EQ(page(0x1000), "0 ");
}

TEST_F(PageFacts, DerivesAnonymousAndMergedPagesFromMapping) {
  kernel.set_frame(0x1000, {.flags = {}, .mapping = kAnonMapping});
  EXPECT_EQ(page(0x1000), "1 Ma");
  kernel.set_frame(0x1000, {.mapcount = 9, .flags = {}, .mapping = kKsmMapping});
  EXPECT_EQ(page(0x1000), "9 Max");
  kernel.set_frame(0x1000, {.flags = {}, .mapping = kFileMapping});
  EXPECT_EQ(page(0x1000), "1 M");
}

TEST_F(PageFacts, SetsSwapCacheOnlyIfSwapBacked) {
  kernel.set_frame(0x1000, {.flags = {"PG_swapcache"}});
  EXPECT_EQ(page(0x1000), "1 Ma");
  kernel.set_frame(0x1000, {.flags = {"PG_swapcache", "PG_swapbacked"}});
  EXPECT_EQ(page(0x1000), "1 Masb");
}

TEST_F(PageFacts, MarksZeroPage) {
  kernel.set_frame(kZeroPfn, {.mapcount = 0, .flags = {}, .mapping = 0});
  EXPECT_EQ(page(kZeroPfn), "0 z");
  EXPECT_EQ(page(kZeroPfn + 1), "0 ");
}

TEST_F(PageFacts, DoesNotMarkZeroPageIfUnknown) {
  kernel.symbols.erase("zero_pfn");
  kernel.set_frame(kZeroPfn, {.mapcount = 0, .flags = {}, .mapping = 0});
  EXPECT_EQ(page(kZeroPfn), "0 ");
  EXPECT_EQ(page(0), "0 ");
}

TEST_F(PageFacts, MarksFrameWithoutStructPageAsNoPage) {
  kernel.frames = 0x2000;
  EXPECT_EQ(page(0x1FFF), "0 ");
  EXPECT_EQ(page(0x2000), "0 n");
  EXPECT_EQ(page(~std::uint64_t{0} >> 12), "0 n");
}

TEST_F(PageFacts, NotesStructPageThatDumpLacks) {
  kernel.set_frame(0x1000);
  kernel.memory.lose(kernel.page(0x1000));
  EXPECT_EQ(page(0x1000), "0 n, noted");
  kernel.make_compound(0x2000, 512, {.mapcount = 1});
  kernel.memory.lose(kernel.page(0x2000));
  EXPECT_EQ(page(0x2000 + 100), "0 n, noted");  // the struct page of the head is lost
}

TEST_F(PageFacts, AddsMappingsOfAnonymousHugePageAndItsPart) {
  kernel.make_compound(0x2000, 512, {.mapcount = 0, .flags = {"PG_lru", "PG_uptodate"}}, 1);
  EXPECT_EQ(page_of_pmd(0x2000), "1 UlMaHt");
  EXPECT_EQ(page_of_pmd(0x2001), "1 MaTt");
  kernel.make_compound(0x2000, 512, {.mapcount = 2, .flags = {"PG_lru"}}, 3);
  EXPECT_EQ(page(0x2007), "5 MaTt");
}

TEST_F(PageFacts, SubtractsOneIfHugePageIsDoubleMapped) {
  kernel.make_compound(0x2000, 512, {.mapcount = 2, .flags = {"PG_lru"}}, 3, {"PG_double_map"});
  EXPECT_EQ(page(0x2007), "4 MaTt");
}

TEST_F(PageFacts, CountsFileHugePageByItsPartsBeforeFolios) {
  kernel.make_compound(0x2000, 512, {.mapcount = 2, .flags = {"PG_lru"}, .mapping = kFileMapping},
                       1);
  EXPECT_EQ(page(0x2007), "2 MTt");
}

TEST_F(PageFacts, DoesNotMarkHugetlbAsThp) {
  kernel.make_compound(0x2000, 512, {.mapcount = 0, .flags = {}, .mapping = kFileMapping}, 2);
  EXPECT_EQ(page_of_hugetlb(0x2000), "2 MHG");
  EXPECT_EQ(page_of_hugetlb(0x2005), "2 MTG");
}

/// A compound page of a driver or of the network is not a THP.
TEST_F(PageFacts, DoesNotMarkOtherCompoundPagesAsThp) {
  kernel.make_compound(0x2000, 4, {.mapcount = 1, .flags = {}, .mapping = 0});
  EXPECT_EQ(page(0x2001), "1 MT");
}

TEST_F(PageFacts, MarksCompoundPageWithoutMappingAsHugeZeroPage) {
  kernel.make_compound(0x2000, 512, {.mapcount = 0, .flags = {}, .mapping = 0});
  EXPECT_EQ(page_of_pmd(0x2000), "0 Htz");
  EXPECT_EQ(page_of_pmd(0x2001), "0 Ttz");
  EXPECT_EQ(page(0x2001), "0 T");
}

TEST_F(PageFacts, ReportsPoisonOfSinglePage) {
  kernel.make_compound(0x2000, 512, {.mapcount = 1});
  kernel.put(kernel.page(0x2003), "page.flags", kernel.bits({"PG_hwpoison"}));
  EXPECT_EQ(page(0x2003), "1 MaTXt");
  EXPECT_EQ(page(0x2004), "1 MaTt");
}

TEST_F(NewPageFacts, ReportsFlagsOfFolioForEachPage) {
  kernel.make_compound(0x2000, 512, {.mapcount = 0, .flags = {"PG_uptodate", "PG_lru", "PG_dirty"}},
                       1, {"PG_large_rmappable"});
  EXPECT_EQ(page_of_pmd(0x2000), "1 UDlMaHt");
  EXPECT_EQ(page_of_pmd(0x2100), "1 UDlMaTt");
}

TEST_F(NewPageFacts, MarksThpOnlyIfLargeRmappable) {
  kernel.make_compound(0x2000, 512, {.mapcount = 1, .flags = {"PG_lru"}});
  EXPECT_EQ(page(0x2001), "1 lMaT");
}

TEST_F(NewPageFacts, AddsMappingsOfFolioAndItsPart) {
  kernel.make_compound(0x2000, 16, {.mapcount = 2, .flags = {}, .mapping = kFileMapping}, 3,
                       {"PG_large_rmappable"});
  EXPECT_EQ(page(0x2001), "5 MTt");
}

TEST_F(NewPageFacts, ReportsPoisonOfHugetlbHead) {
  kernel.make_compound(0x2000, 512,
                       {.mapcount = 0, .flags = {"PG_hwpoison"}, .mapping = kFileMapping}, 1);
  EXPECT_EQ(page_of_hugetlb(0x2005), "1 MTGX");
  EXPECT_EQ(page(0x2005), "1 MT");
}

/// A damaged struct page may contain any bytes. Counts are never negative.
TEST_F(PageFacts, HasNoNegativeCountForGarbage) {
  kernel.make_compound(0x2000, 4, {.mapcount = 0}, -5);
  EXPECT_EQ(page(0x2001), "0 aTt");
  kernel.put(kernel.page(0x2001), "page.compound_head", ~std::uint64_t{0});
  EXPECT_EQ(page(0x2001), "0 n, noted");
}

}  // namespace
}  // namespace physmem::crash
