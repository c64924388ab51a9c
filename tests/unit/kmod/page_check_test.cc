// SPDX-License-Identifier: MIT
// The check of pointers to struct pages, with each of the kernel's memory models.
#include <gtest/gtest.h>

#include <array>
#include <climits>
#include <cstdint>

namespace physmem {
namespace {

constexpr unsigned long kSectionFrames = 8;
constexpr unsigned long kFirstFrame = 0x100;  // FLATMEM: RAM does not begin at 0

struct page {
  unsigned long flags = 0;
  std::array<unsigned long, 7> rest{};
};
struct mem_section {
  bool has_map = false;
};

// Frames 0 to 31; section 2 has no frames.
std::array<page, 4 * kSectionFrames> pages;
std::array<page, kSectionFrames> hotplugged;  // the struct pages of section 3 with SPARSEMEM
std::array<mem_section, 4> sections{{{true}, {true}, {false}, {true}}};
page other;  // no struct page, but mapped
bool is_flat = false;

bool pfn_valid(unsigned long pfn) {
  if (is_flat) return pfn >= kFirstFrame && pfn - kFirstFrame < pages.size();
  return pfn < pages.size() && sections[pfn / kSectionFrames].has_map;
}
bool virt_addr_valid(const void* at) {
  const auto is_in = [at](const auto& array) {
    return at >= static_cast<const void*>(&array) && at < static_cast<const void*>(&array + 1);
  };
  return is_in(pages) || is_in(hotplugged) || is_in(other);
}
unsigned long pm_page_bits(const page* at) {
  return at->flags;
}
unsigned long section_nr_to_pfn(unsigned long section) {
  return section * kSectionFrames;
}
mem_section* __nr_to_section(unsigned long section) {
  return section < sections.size() ? &sections[section] : nullptr;
}
bool valid_section(const mem_section* section) {
  return section != nullptr && section->has_map;
}
page* pfn_to_page(unsigned long pfn) {
  return pfn / kSectionFrames == 3 ? &hotplugged[pfn % kSectionFrames] : &pages[pfn];
}
page* const vmemmap = pages.data();
page* const mem_map = pages.data();

#define ARCH_PFN_OFFSET kFirstFrame
#define PAGES_PER_SECTION kSectionFrames
#define SECTIONS_PGSHIFT 60
#define SECTIONS_MASK 0xful

namespace with_vmemmap {
#define CONFIG_SPARSEMEM_VMEMMAP
#include "collector-kmod/kernel/page_check.h"
#undef CONFIG_SPARSEMEM_VMEMMAP
#undef PM_PAGE_CHECK_H
}  // namespace with_vmemmap
namespace with_flatmem {
#define CONFIG_FLATMEM
#include "collector-kmod/kernel/page_check.h"
#undef CONFIG_FLATMEM
#undef PM_PAGE_CHECK_H
}  // namespace with_flatmem
namespace with_sparsemem {
#define CONFIG_SPARSEMEM
#include "collector-kmod/kernel/page_check.h"
#undef CONFIG_SPARSEMEM
#undef PM_PAGE_CHECK_H
}  // namespace with_sparsemem

const page* moved(const page* at, std::ptrdiff_t bytes) {
  return reinterpret_cast<const page*>(reinterpret_cast<std::uintptr_t>(at) +
                                       static_cast<std::uintptr_t>(bytes));
}

TEST(PageCheck, KnowsThePagesOfVmemmap) {
  is_flat = false;
  for (unsigned long pfn = 0; pfn < pages.size(); ++pfn)
    EXPECT_EQ(with_vmemmap::pm_is_page(&pages[pfn]), sections[pfn / kSectionFrames].has_map) << pfn;
  for (const std::ptrdiff_t bytes : {1, 8, 32, 63, -1, -8})
    EXPECT_FALSE(with_vmemmap::pm_is_page(moved(&pages[5], bytes))) << bytes;
  EXPECT_FALSE(with_vmemmap::pm_is_page(moved(pages.data(), -64)));
  EXPECT_FALSE(with_vmemmap::pm_is_page(moved(pages.data(), sizeof pages)));
  EXPECT_FALSE(with_vmemmap::pm_is_page(nullptr));
}

TEST(PageCheck, KnowsThePagesOfFlatMemory) {
  is_flat = true;
  for (const page& one : pages) EXPECT_TRUE(with_flatmem::pm_is_page(&one));
  for (const std::ptrdiff_t bytes : {1, 8, 32, 63, -1, -8})
    EXPECT_FALSE(with_flatmem::pm_is_page(moved(&pages[5], bytes))) << bytes;
  EXPECT_FALSE(with_flatmem::pm_is_page(moved(pages.data(), -64)));
  EXPECT_FALSE(with_flatmem::pm_is_page(moved(pages.data(), sizeof pages)));
  EXPECT_FALSE(with_flatmem::pm_is_page(nullptr));
}

// Each page has the number of its section in its flags, which other memory may have by chance.
TEST(PageCheck, KnowsThePagesOfSections) {
  is_flat = false;
  for (unsigned long pfn = 0; pfn < pages.size(); ++pfn)
    pfn_to_page(pfn)->flags = pfn / kSectionFrames << SECTIONS_PGSHIFT | 0xfff;
  for (unsigned long pfn = 0; pfn < pages.size(); ++pfn)
    EXPECT_EQ(with_sparsemem::pm_is_page(pfn_to_page(pfn)), sections[pfn / kSectionFrames].has_map)
        << pfn;
  EXPECT_FALSE(with_sparsemem::pm_is_page(moved(&pages[5], 1)));
  EXPECT_FALSE(with_sparsemem::pm_is_page(moved(&pages[5], 8)));
  EXPECT_FALSE(with_sparsemem::pm_is_page(moved(pages.data(), 1 << 30))) << "is not mapped";
  for (unsigned long section = 0; section < 16; ++section) {
    other.flags = section << SECTIONS_PGSHIFT;
    EXPECT_FALSE(with_sparsemem::pm_is_page(&other)) << section;
    pages[5].flags = section << SECTIONS_PGSHIFT;
    EXPECT_EQ(with_sparsemem::pm_is_page(&pages[5]), section == 0) << section;
  }
}

}  // namespace
}  // namespace physmem
