// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/kernel-image/fake_kernel.h"

namespace physmem::crash {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

/// The reason why pm_layout_find() fails, or empty if it succeeds.
std::string error_of(FakeKernel& kernel, pm_layout* layout = nullptr) {
  pm_layout unused;
  char why[256] = "";
  const pm_dump dump = kernel.dump();
  return pm_layout_find(layout != nullptr ? layout : &unused, &dump, why, sizeof why) ? "" : why;
}

struct LayoutItem {
  const char* name;
  std::string spellings;
  bool is_required;
};

constexpr bool NEEDED = true, OPTIONAL = false;
#define PM_ITEM(name, spellings, need) {#name, spellings, need},
const LayoutItem kFields[] = {PM_FIELDS(PM_ITEM)};
const LayoutItem kNumbers[] = {PM_NUMBERS(PM_ITEM)};
const LayoutItem kSymbols[] = {PM_SYMBOLS(PM_ITEM)};
#undef PM_ITEM

/// Splits the text at each mark: "a|b/c" at '|' gives "a", "b/c".
std::vector<std::string> split(std::string text, char mark) {
  std::vector<std::string> parts;
  for (text += mark; !text.empty(); text.erase(0, text.find(mark) + 1))
    parts.push_back(text.substr(0, text.find(mark)));
  return parts;
}

/// The first required field that cannot be found without the hidden members.
std::string first_field_lost_without(const std::vector<std::string>& hidden) {
  const auto is_hidden = [&](const std::string& member) {
    return std::find(hidden.begin(), hidden.end(), member) != hidden.end();
  };
  for (const LayoutItem& field : kFields) {
    const auto spellings = split(field.spellings, '|');
    const bool is_lost =
        std::all_of(spellings.begin(), spellings.end(), [&](const std::string& spelling) {
          const auto members = split(spelling, '/');
          return std::any_of(members.begin(), members.end(), is_hidden);
        });
    if (field.is_required && is_lost) return field.spellings;
  }
  return "";
}

TEST(Layout, RejectsKernelWithoutRequiredMember) {
  for (const LayoutItem& field : kFields) {
    if (!field.is_required) continue;
    FakeKernel kernel;
    std::vector<std::string> hidden;
    for (const std::string& spelling : split(field.spellings, '|'))
      hidden.push_back(split(spelling, '/').back());
    for (const std::string& member : hidden) kernel.types.hide(member);
    EXPECT_EQ(error_of(kernel), "the debug information lacks " + first_field_lost_without(hidden) +
                                    ": unsupported kernel, or a vmlinux without types");
  }
}

TEST(Layout, RejectsKernelWithoutRequiredNumber) {
  for (const LayoutItem& number : kNumbers) {
    FakeKernel kernel;
    kernel.types.hide(number.spellings);
    const std::string why = error_of(kernel);
    EXPECT_TRUE(!number.is_required || why.find("lacks " + number.spellings + ":") != why.npos)
        << why;
  }
}

TEST(Layout, RejectsKernelWithoutRequiredSymbol) {
  for (const LayoutItem& symbol : kSymbols) {
    FakeKernel kernel;
    for (const std::string& name : split(symbol.spellings, '|')) kernel.symbols.erase(name);
    const std::string why = error_of(kernel);
    EXPECT_TRUE(!symbol.is_required || why.find("lacks " + symbol.spellings + ":") != why.npos)
        << why;
  }
}

TEST(Layout, AcceptsKernelWithoutOptionalItem) {
  for (const LayoutItem& field : kFields) {
    if (field.is_required) continue;
    FakeKernel kernel;
    kernel.types.hide(split(split(field.spellings, '|')[0], '/')[0]);
    EXPECT_THAT(error_of(kernel), AnyOf("", HasSubstr("mm_mt"), HasSubstr("compound_mapcount")))
        << field.name;
  }
  for (const char* number : {"PG_error", "PG_swapcache", "PG_hwpoison", "PG_idle", "PG_young",
                             "PG_double_map", "memory_cgrp_id", "CSS_ONLINE"}) {
    FakeKernel kernel;
    kernel.types.hide(number);
    EXPECT_EQ(error_of(kernel), "") << number;
  }
}

TEST(Layout, RequiresTreeOrListOfAreas) {
  FakeKernel kernel;
  kernel.types.hide("maple_arange_64");
  EXPECT_THAT(error_of(kernel), HasSubstr("lacks mm_struct.mm_mt with maple_range_64"));
  kernel.types.show("mm_struct.mmap");
  EXPECT_THAT(error_of(kernel), HasSubstr("and also mm_struct.mmap with vm_area_struct.vm_next:"));
  kernel.types.show("vm_area_struct.vm_next");
  EXPECT_EQ(error_of(kernel), "");
}

TEST(Layout, RequiresEntireMapcountAndClock) {
  FakeKernel kernel;
  kernel.types.hide("page.compound_mapcount");
  EXPECT_THAT(error_of(kernel),
              HasSubstr("lacks page.compound_mapcount or folio._entire_mapcount:"));
  kernel.types.show("page.compound_mapcount");
  kernel.symbols.erase("shadow_timekeeper");
  EXPECT_THAT(error_of(kernel), HasSubstr("lacks variable shadow_timekeeper or tk_core:"));
  kernel.symbols["tk_core"] = 0xFFFF888000200000;
  EXPECT_EQ(error_of(kernel), "");
  kernel.types.hide("page.flags");
  EXPECT_THAT(error_of(kernel), HasSubstr("lacks page.flags:"));
}

// CONFIG_SWAP is not set, so no page-table entry is a swap slot.
TEST(Layout, AcceptsKernelWithoutSwap) {
  FakeKernel kernel;
  kernel.swap_types = 0;
  pm_layout layout;
  EXPECT_EQ(error_of(kernel, &layout), "");
  EXPECT_EQ(layout.max_swap_types, 0u);
}

// In Linux 7.2, the debug information has swap_info without a length.
TEST(Layout, UsesNumberOfSwapFilesIfSwapInfoHasNoLength) {
  FakeKernel kernel;
  kernel.swap_types = 0;
  const std::uint64_t number = kernel.memory.allocate("nr_swapfiles", 4, 8);
  kernel.symbols["nr_swapfiles"] = number;
  pm_layout layout;
  for (const auto& [value, expected] : {std::pair{3u, 3u}, {32u, 32u}, {33u, 0u}}) {
    kernel.memory.put(number, 4, value);
    EXPECT_EQ(error_of(kernel, &layout), "");
    EXPECT_EQ(layout.max_swap_types, expected);
  }
}

TEST(Layout, AddsOffsetsOfNestedMembers) {
  FakeKernel kernel;
  pm_layout layout;
  ASSERT_EQ(error_of(kernel, &layout), "");
  const FakeTypes& types = kernel.types;
  EXPECT_EQ(layout.dentry_name.offset,
            types.field("dentry.d_name").offset + types.field("qstr.name").offset);
  EXPECT_EQ(layout.dentry_name.size, 8);
  EXPECT_EQ(layout.dentry_name_length.size, 4);
  EXPECT_EQ(layout.clock_ns.offset, types.field("timekeeper.tkr_mono").offset +
                                        types.field("tk_read_base.xtime_nsec").offset);
  EXPECT_EQ(layout.range_length, 16u);
  EXPECT_EQ(layout.gap_length, 10u);
  EXPECT_EQ(layout.max_swap_types, 23u);
  EXPECT_EQ(layout.page_struct, 64u);
}

TEST(Layout, UsesFirstSpellingThatKernelHas) {
  FakeKernel kernel;
  pm_layout layout;
  const auto cpu = [&] {
    EXPECT_EQ(error_of(kernel, &layout), "");
    return layout.task_cpu.offset;
  };
  kernel.types.show("task_struct.cpu");
  EXPECT_EQ(cpu(), kernel.types.field("task_struct.cpu").offset);
  kernel.types.hide("task_struct.cpu");
  EXPECT_EQ(cpu(), kernel.types.field("task_struct.thread_info/thread_info.cpu").offset);
  kernel.types.hide("task_struct.start_boottime");
  ASSERT_EQ(error_of(kernel, &layout), "");
  EXPECT_EQ(layout.task_start.offset, kernel.types.field("task_struct.real_start_time").offset);
}

TEST(Layout, MarksAbsentItemsAsMissing) {
  FakeKernel kernel;
  kernel.types.hide("task_struct.prev_cputime");
  kernel.types.hide("PG_idle");
  kernel.symbols.erase("simple_dname");
  pm_layout layout;
  ASSERT_EQ(error_of(kernel, &layout), "");
  EXPECT_EQ(layout.task_shown_utime.offset, -1);
  EXPECT_EQ(layout.pg_idle, PM_NONE);
  EXPECT_EQ(layout.at.simple_dname, 0u);
}

TEST(Layout, DerivesBehaviourFromAvailableNames) {
  const auto behaviour = [](Era era) {
    FakeKernel kernel(era);
    pm_layout l;
    EXPECT_EQ(error_of(kernel, &l), "");
    return std::vector<bool>{l.has_double_map, l.shows_folio_flags, l.has_strict_heap,
                             l.has_named_files};
  };
  EXPECT_THAT(behaviour(Era::k5_10), testing::ElementsAre(true, false, false, false));
  EXPECT_THAT(behaviour(Era::k6_1), testing::ElementsAre(true, false, false, false));
  EXPECT_THAT(behaviour(Era::k6_12), testing::ElementsAre(false, true, true, true));
}

TEST(Layout, TruncatesReasonToBuffer) {
  FakeKernel kernel;
  kernel.types.hide("cred");
  const pm_dump dump = kernel.dump();
  pm_layout layout;
  char why[12] = "";
  EXPECT_FALSE(pm_layout_find(&layout, &dump, why, sizeof why));
  EXPECT_STREQ(why, "the debug i");
}

}  // namespace
}  // namespace physmem::crash
