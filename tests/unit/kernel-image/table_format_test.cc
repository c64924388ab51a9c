// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/kernel-image/fake_kernel.h"

namespace physmem::crash {
namespace {

using testing::HasSubstr;

struct Entry {
  const char* what;
  unsigned level;
  std::uint64_t raw;
  const char* meaning;
};

std::string meaning_of(const pm_table_format& format, std::uint64_t raw, unsigned level) {
  pm_entry entry;
  format.decode(&format, raw, level, &entry);
  switch (entry.kind) {
    case PM_ENTRY_NONE:
      return "none";
    case PM_ENTRY_TABLE:
      return fmt::format("table {:X}", entry.table);
    case PM_ENTRY_LEAF:
      return fmt::format("page {:X} bits {:X}", entry.pfn, entry.bits);
    case PM_ENTRY_SWAP:
      return fmt::format("swap {}:{:X}", entry.type, entry.offset);
    case PM_ENTRY_OTHER:
      return "other";
    case PM_ENTRY_CORRUPT:
      return "corrupt";
  }
  return "?";
}

class TableFormat : public testing::Test {
 protected:
  /// Finds the format for a machine name. Returns an empty string, or why it is unsupported.
  std::string find(const char* machine, std::uint64_t page_size = kPage) {
    pm_dump dump = kernel.dump();
    dump.page_size = page_size;
    char why[256] = "";
    pm_layout layout;
    EXPECT_TRUE(pm_layout_find(&layout, &dump, why, sizeof why)) << why;
    pm_memory memory{};
    pm_memory_open(&memory, &dump);
    const bool is_found = pm_table_format_find(&format, machine, &memory, &layout, why, sizeof why);
    pm_memory_close(&memory);
    EXPECT_EQ(is_found, std::string(why).empty());
    const std::string listed = std::string("|") + pm_symbol_names() + "|";
    for (const std::string& name : kernel.asked) EXPECT_THAT(listed, HasSubstr("|" + name + "|"));
    return why;
  }

  void expect(const std::vector<Entry>& entries) {
    for (const Entry& entry : entries)
      EXPECT_EQ(meaning_of(format, entry.raw, entry.level), entry.meaning) << entry.what;
  }

  std::string shape() const {
    std::string text;
    for (unsigned level = 0; level < format.levels; ++level)
      text += fmt::format("{}+{} ", format.shift[level], format.index_bits[level]);
    return text + fmt::format("below {:X}", format.user_end);
  }

  void variable(const char* name, std::uint64_t value) {
    kernel.symbols[name] = kernel.memory.allocate(name, 8, 8);
    kernel.memory.put(kernel.symbols[name], 8, value);
  }

  FakeKernel kernel;
  pm_table_format format{};
};

TEST_F(TableFormat, RejectsOtherMachines) {
  EXPECT_EQ(find("s390x"), "found machine 's390x', expected x86_64, aarch64 or ppc64le");
  EXPECT_EQ(find(""), "found machine '', expected x86_64, aarch64 or ppc64le");
  kernel.memory.put_text(
      kernel.at(kernel.symbols["init_uts_ns"], "uts_namespace.name/new_utsname.machine"), "ppc970");
  EXPECT_THAT(Opened(kernel).why(), testing::HasSubstr("found machine 'ppc970'"));
}

TEST_F(TableFormat, DecodesX86) {
  ASSERT_EQ(find("x86_64"), "");
  EXPECT_EQ(shape(), "12+9 21+9 30+9 39+9 below 800000000000");
  EXPECT_EQ(format.phys_mask, 0x000FFFFFFFFFF000u);
  expect({
      {"nothing", 0, 0, "none"},
      {"accessed and dirty on Knights Landing", 0, 0x60, "none"},
      {"a page", 0, 0x80000001A2B3C867, "page 1A2B3C bits 8000000000000867"},
      {"a page with the PAT bit, which marks huge ones on upper levels", 0, 0x1A2B3C0E7,
       "page 1A2B3C bits E7"},
      {"a page without access", 0, prot_none(0x1A2B3C), "page 1A2B3C bits 100"},
      {"a swapped page", 0, swapped(3, 0x12345), "swap 3:12345"},
      {"the largest slot", 0, swapped(31, (std::uint64_t{1} << 50) - 1), "swap 31:3FFFFFFFFFFFF"},
      {"a table", 1, 0x1A2B3C067, "table 1A2B3C000"},
      {"2 MiB", 1, 0x40000'0E7, "page 40000 bits E7"},
      {"2 MiB with PAT", 1, 0x40001'0E7, "page 40000 bits E7"},
      {"2 MiB with a reserved bit", 1, 0x40002'0E7, "corrupt"},
      {"2 MiB without access", 1, prot_none(0x40000, 512) | kHuge, "page 40000 bits 180"},
      {"2 MiB in migration", 1, swapped(30, 4), "other"},
      {"1 GiB", 2, 0x80000'0E7, "page 80000 bits E7"},
      {"1 GiB with a reserved bit", 2, 0x80200'0E7, "corrupt"},
      {"1 GiB that is not present", 2, 0x80, "other"},
      {"2 MiB that is being split", 1, prot_none(0x40000, 512) ^ (kNone | kHuge),
       "page 40000 bits 80"},
      {"a table of 1 GiB entries", 3, 0x1A2B3C067, "table 1A2B3C000"},
      {"512 GiB", 3, 0x80000000'0E7, "corrupt"},
      {"a present entry of a single page that is huge: PAT", 0, 0x1000E7, "page 100 bits E7"},
  });
}

TEST_F(TableFormat, HasFiveLevelsOnX86IfPgdirShiftIs48) {
  kernel.memory.put(kernel.symbols.at("pgdir_shift"), 4, 48);
  ASSERT_EQ(find("x86_64"), "");
  EXPECT_EQ(shape(), "12+9 21+9 30+9 39+9 48+9 below 100000000000000");
}

TEST_F(TableFormat, HasFourLevelsOnX86IfVariablesAreUnknown) {
  for (const bool is_symbol_known : {true, false}) {
    kernel.memory.lose(kernel.symbols.at("physical_mask"));
    kernel.memory.lose(kernel.symbols.at("pgdir_shift"));
    if (!is_symbol_known) kernel.symbols.erase("physical_mask");
    if (!is_symbol_known) kernel.symbols.erase("pgdir_shift");
    ASSERT_EQ(find("x86_64"), "");
    EXPECT_EQ(format.levels, 4u);
    EXPECT_EQ(format.phys_mask, 0x000FFFFFFFFFF000u);
  }
}

class Aarch64 : public TableFormat {
 protected:
  std::string find_with(std::uint64_t task, std::uint64_t page_size = kPage) {
    kernel.put(kernel.init_task(), "task_struct.tasks/list_head.next", task);
    return find("aarch64", page_size);
  }
};

TEST_F(Aarch64, DerivesLevelsFromAddressAndPageSize) {
  EXPECT_EQ(find_with(0xFFFF000080000000), "");
  EXPECT_EQ(shape(), "12+9 21+9 30+9 39+9 below 1000000000000");
  EXPECT_EQ(find_with(0xFFFFFF8080000000), "");
  EXPECT_EQ(shape(), "12+9 21+9 30+9 below 8000000000");
  EXPECT_EQ(find_with(0xFFFF000080000000, 65536), "");
  EXPECT_EQ(shape(), "16+13 29+13 42+6 below 1000000000000");
  EXPECT_EQ(find_with(0xFFFF000080000000, 16384), "");
  EXPECT_EQ(shape(), "14+11 25+11 36+11 47+1 below 1000000000000");
}

TEST_F(Aarch64, RejectsAddressesOf52Bits) {
  EXPECT_EQ(find_with(0xFFF0000080000000, 16384),
            "found machine 'aarch64' with pages of 16384 bytes and addresses of 52 bits, expected "
            "addresses of at most 48 bits");
  EXPECT_THAT(find_with(0), testing::HasSubstr("4096 bytes and addresses of 64 bits"));
  EXPECT_THAT(find_with(~std::uint64_t{0}), testing::HasSubstr("addresses of 64 bits"));
}

TEST_F(Aarch64, DecodesEntriesUntil519) {
  kernel.types.hide("PG_anon_exclusive");
  ASSERT_EQ(find_with(0xFFFF000080000000), "");
  expect({
      {"nothing", 0, 0, "none"},
      {"a page", 0, 0x00E8000123456FC3, "page 123456 bits E8000000000FC3"},
      {"a page without access", 0, 0x04E8000123456FC0, "page 123456 bits 4E8000000000FC0"},
      {"a table", 1, 0x123456003, "table 123456000"},
      {"a block of 2 MiB", 1, 0x00E8000140000F41, "page 140000 bits E8000000000F41"},
      {"one that is being split", 1, 0x08E8000140000F40, "page 140000 bits 8E8000000000F40"},
      {"one with bits below its size", 1, 0x00E8000140010F41, "corrupt"},
      {"a block of 1 GiB", 2, 0x00E8000140000F41, "page 140000 bits E8000000000F41"},
      {"a block of 512 GiB", 3, 0x00E8008000000F41, "corrupt"},
      {"a swapped page", 0, std::uint64_t{0x12345} << 8 | 5 << 2, "swap 5:12345"},
      {"a huge page in migration", 1, std::uint64_t{0x12345} << 8 | 5 << 2, "other"},
  });
}

TEST_F(Aarch64, DecodesEntriesUntil611) {
  kernel.types.show("PG_anon_exclusive");
  ASSERT_EQ(find_with(0xFFFF000080000000), "");
  expect({
      {"a swapped page", 0, std::uint64_t{0x12345} << 8 | 5 << 3, "swap 5:12345"},
      {"an exclusive one", 0, std::uint64_t{0x12345} << 8 | 5 << 3 | 1 << 2, "swap 5:12345"},
      {"a page without access", 0, 0x04E8000123456FC0, "page 123456 bits 4E8000000000FC0"},
  });
}

TEST_F(Aarch64, DecodesEntriesSince612) {
  kernel.types.show("PG_anon_exclusive");
  kernel.types.show("PGTY_buddy");
  ASSERT_EQ(find_with(0xFFFF000080000000), "");
  expect({
      {"a page", 0, 0x00E8000123456FC3, "page 123456 bits E8000000000FC3"},
      {"a page without access", 0, 0x00E8000123456FC2, "page 123456 bits E8000000000FC2"},
      {"a block that is being split", 1, 0x00E8000140000F40, "page 140000 bits E8000000000F40"},
      {"a swapped page", 0, std::uint64_t{0x12345} << 12 | 5 << 6, "swap 5:12345"},
  });
}

TEST_F(TableFormat, DerivesPpc64leFromVariables) {
  EXPECT_EQ(find("ppc64le", 65536),
            "found machine 'ppc64le' with 0 in __pte_index_size, expected 1 to 16");
  variable("__pte_index_size", 5);
  variable("__pmd_index_size", 9);
  variable("__pud_index_size", 9);
  variable("__pgd_index_size", 13);
  ASSERT_EQ(find("ppc64le", 65536), "");
  EXPECT_EQ(shape(), "16+5 21+9 30+9 39+13 below 10000000000000");
  EXPECT_TRUE(format.is_big_endian);
  expect({
      {"nothing", 0, 0, "none"},
      {"a page", 0, 0xC000000123450187, "page 12345 bits C000000000000187"},
      {"a page that is being changed", 0, 0x6000000123450187, "page 12345 bits 6000000000000187"},
      {"a swapped page", 0, 0x4000000123450003, "swap 3:12345"},
      {"a table", 1, 0x8000000123450025, "table 123450000"},
      {"2 MiB", 1, 0xC000000123400187, "page 12340 bits C000000000000187"},
      {"2 MiB with bits below its size", 1, 0xC000000123410187, "corrupt"},
      {"1 GiB", 2, 0xC000000140000187, "page 14000 bits C000000000000187"},
      {"512 GiB", 3, 0xC000008000000187, "corrupt"},
      {"neither page nor table", 0, 0x0000000000000187, "other"},
  });
  variable("__pud_index_size", 0);
  EXPECT_THAT(find("ppc64le", 65536), testing::HasSubstr("0 in __pud_index_size"));
}

/// The machine is little-endian, but its page tables are big-endian.
TEST_F(TableFormat, ReadsBigEndianTablesOfPpc64le) {
  kernel.memory.put_text(
      kernel.at(kernel.symbols["init_uts_ns"], "uts_namespace.name/new_utsname.machine"),
      "ppc64le");
  for (const char* size :
       {"__pte_index_size", "__pmd_index_size", "__pud_index_size", "__pgd_index_size"})
    variable(size, 9);
  const std::uint64_t mm = kernel.add_mm();
  kernel.put(mm, "mm_struct.pgtables_bytes", 3 * kPage);
  std::uint64_t table = kernel.get(mm, "mm_struct.pgd");
  for (int level = 3; level > 0; --level) {
    const std::uint64_t below = kernel.memory.allocate("page table", kPage, kPage);
    kernel.memory.put(table, 8,
                      __builtin_bswap64(0x8000000000000000 | FakeMemory::physical(below)));
    table = below;
  }
  kernel.memory.put(table + 8 * 5, 8, __builtin_bswap64(0xC000000012345187));
  const Opened image(kernel);
  ASSERT_EQ(image.why(), "");
  pm_tables tables{};
  pm_tables_open(image.get(), &tables, mm);
  const auto found = std::make_unique<pm_stretch>();
  pm_range range{};
  range.end = 0x10000;
  EXPECT_EQ(pm_pte_walk(image.get(), &tables, &range, 0, found.get()), range.end);
  ASSERT_EQ(found->n_pages, 1u);
  EXPECT_EQ(found->pages[0].va, 0x5000u);
  EXPECT_EQ(found->pages[0].pte, 0xC000000012345187u);
  pm_tables_close(&tables);
}

}  // namespace
}  // namespace physmem::crash
