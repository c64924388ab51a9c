// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/crash/fake_kernel.h"

namespace physmem::crash {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

/// Why there is no layout; empty: there is one.
std::string refusal(FakeKernel& kernel, pm_layout* layout = nullptr) {
  pm_layout unused;
  char why[256] = "";
  const pm_dump dump = kernel.dump();
  return pm_layout_find(layout != nullptr ? layout : &unused, &dump, why, sizeof why) ? "" : why;
}

struct Wanted {
  const char* name;
  std::string spellings;
  bool is_needed;
};

constexpr bool NEEDED = true, OPTIONAL = false;
#define PM_WANTED(name, spellings, need) {#name, spellings, need},
const Wanted kFields[] = {PM_FIELDS(PM_WANTED)};
const Wanted kNumbers[] = {PM_NUMBERS(PM_WANTED)};
const Wanted kSymbols[] = {PM_SYMBOLS(PM_WANTED)};
#undef PM_WANTED

/// What stands between the marks, "a|b/c" by '|': "a", "b/c".
std::vector<std::string> split(std::string text, char mark) {
  std::vector<std::string> parts;
  for (text += mark; !text.empty(); text.erase(0, text.find(mark) + 1))
    parts.push_back(text.substr(0, text.find(mark)));
  return parts;
}

/// Of the fields that are needed, the first that cannot be found without these members.
std::string first_without(const std::vector<std::string>& hidden) {
  const auto is_hidden = [&](const std::string& member) {
    return std::find(hidden.begin(), hidden.end(), member) != hidden.end();
  };
  for (const Wanted& field : kFields) {
    const auto spellings = split(field.spellings, '|');
    const bool is_lost =
        std::all_of(spellings.begin(), spellings.end(), [&](const std::string& spelling) {
          const auto members = split(spelling, '/');
          return std::any_of(members.begin(), members.end(), is_hidden);
        });
    if (field.is_needed && is_lost) return field.spellings;
  }
  return "";
}

TEST(Layout, RefusesAKernelWithoutAMemberThatIsNeeded) {
  for (const Wanted& field : kFields) {
    if (!field.is_needed) continue;
    FakeKernel kernel;
    std::vector<std::string> hidden;
    for (const std::string& spelling : split(field.spellings, '|'))
      hidden.push_back(split(spelling, '/').back());
    for (const std::string& member : hidden) kernel.types.hide(member);
    EXPECT_EQ(refusal(kernel), "the debug information lacks " + first_without(hidden) +
                                   ": unsupported kernel, or a vmlinux without types");
  }
}

TEST(Layout, RefusesAKernelWithoutANumberThatIsNeeded) {
  for (const Wanted& number : kNumbers) {
    FakeKernel kernel;
    kernel.types.hide(number.spellings);
    const std::string why = refusal(kernel);
    EXPECT_TRUE(!number.is_needed || why.find("lacks " + number.spellings + ":") != why.npos)
        << why;
  }
}

TEST(Layout, RefusesAKernelWithoutASymbolThatIsNeeded) {
  for (const Wanted& symbol : kSymbols) {
    FakeKernel kernel;
    for (const std::string& name : split(symbol.spellings, '|')) kernel.symbols.erase(name);
    const std::string why = refusal(kernel);
    EXPECT_TRUE(!symbol.is_needed || why.find("lacks " + symbol.spellings + ":") != why.npos)
        << why;
  }
}

TEST(Layout, DoesWithoutWhatIsOptional) {
  for (const Wanted& field : kFields) {
    if (field.is_needed) continue;
    FakeKernel kernel;
    kernel.types.hide(split(split(field.spellings, '|')[0], '/')[0]);
    EXPECT_THAT(refusal(kernel), AnyOf("", HasSubstr("mm_mt"), HasSubstr("compound_mapcount")))
        << field.name;
  }
  for (const char* number : {"PG_error", "PG_swapcache", "PG_hwpoison", "PG_idle", "PG_young",
                             "PG_double_map", "memory_cgrp_id", "CSS_ONLINE"}) {
    FakeKernel kernel;
    kernel.types.hide(number);
    EXPECT_EQ(refusal(kernel), "") << number;
  }
}

TEST(Layout, NeedsATreeOrAListOfAreas) {
  FakeKernel kernel;
  kernel.types.hide("maple_arange_64");
  EXPECT_THAT(refusal(kernel), HasSubstr("lacks mm_struct.mm_mt with maple_range_64"));
  kernel.types.show("mm_struct.mmap");
  EXPECT_THAT(refusal(kernel), HasSubstr("and also mm_struct.mmap with vm_area_struct.vm_next:"));
  kernel.types.show("vm_area_struct.vm_next");
  EXPECT_EQ(refusal(kernel), "");
}

TEST(Layout, NeedsACountOfWholeFoliosAndAClock) {
  FakeKernel kernel;
  kernel.types.hide("page.compound_mapcount");
  EXPECT_THAT(refusal(kernel),
              HasSubstr("lacks page.compound_mapcount or folio._entire_mapcount:"));
  kernel.types.show("page.compound_mapcount");
  kernel.symbols.erase("shadow_timekeeper");
  EXPECT_THAT(refusal(kernel), HasSubstr("lacks variable shadow_timekeeper or tk_core:"));
  kernel.symbols["tk_core"] = 0xFFFF888000200000;
  EXPECT_EQ(refusal(kernel), "");
  kernel.types.hide("page.flags");
  EXPECT_THAT(refusal(kernel), HasSubstr("lacks page.flags:"));
}

// CONFIG_SWAP is not set: then no entry of a page table is a slot.
TEST(Layout, TakesAKernelWithoutSwap) {
  FakeKernel kernel;
  kernel.swap_types = 0;
  pm_layout layout;
  EXPECT_EQ(refusal(kernel, &layout), "");
  EXPECT_EQ(layout.max_swap_types, 0u);
}

// Linux 7.2: the debug information has swap_info without a length.
TEST(Layout, TakesTheNumberOfSwapAreasWhereSwapInfoHasNoLength) {
  FakeKernel kernel;
  kernel.swap_types = 0;
  const std::uint64_t number = kernel.memory.allocate("nr_swapfiles", 4, 8);
  kernel.symbols["nr_swapfiles"] = number;
  pm_layout layout;
  for (const auto& [value, expected] : {std::pair{3u, 3u}, {32u, 32u}, {33u, 0u}}) {
    kernel.memory.put(number, 4, value);
    EXPECT_EQ(refusal(kernel, &layout), "");
    EXPECT_EQ(layout.max_swap_types, expected);
  }
}

TEST(Layout, AddsUpWhatIsNested) {
  FakeKernel kernel;
  pm_layout layout;
  ASSERT_EQ(refusal(kernel, &layout), "");
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

TEST(Layout, TakesTheFirstSpellingThatTheKernelHas) {
  FakeKernel kernel;
  pm_layout layout;
  const auto cpu = [&] {
    EXPECT_EQ(refusal(kernel, &layout), "");
    return layout.task_cpu.offset;
  };
  kernel.types.show("task_struct.cpu");
  EXPECT_EQ(cpu(), kernel.types.field("task_struct.cpu").offset);
  kernel.types.hide("task_struct.cpu");
  EXPECT_EQ(cpu(), kernel.types.field("task_struct.thread_info/thread_info.cpu").offset);
  kernel.types.hide("task_struct.start_boottime");
  ASSERT_EQ(refusal(kernel, &layout), "");
  EXPECT_EQ(layout.task_start.offset, kernel.types.field("task_struct.real_start_time").offset);
}

TEST(Layout, WhatIsAbsentHasNoPlace) {
  FakeKernel kernel;
  kernel.types.hide("task_struct.prev_cputime");
  kernel.types.hide("PG_idle");
  kernel.symbols.erase("pipefs_dname");
  pm_layout layout;
  ASSERT_EQ(refusal(kernel, &layout), "");
  EXPECT_EQ(layout.task_shown_utime.offset, -1);
  EXPECT_EQ(layout.pg_idle, PM_NONE);
  EXPECT_EQ(layout.at.pipe_dname, 0u);
}

TEST(Layout, TellsBehaviourByWhatCameWithIt) {
  const auto behaviour = [](Era era) {
    FakeKernel kernel(era);
    pm_layout l;
    EXPECT_EQ(refusal(kernel, &l), "");
    return std::vector<bool>{l.has_double_map, l.shows_folio_flags, l.has_strict_heap,
                             l.has_named_files};
  };
  EXPECT_THAT(behaviour(Era::k5_10), testing::ElementsAre(true, false, false, false));
  EXPECT_THAT(behaviour(Era::k6_1), testing::ElementsAre(true, false, false, false));
  EXPECT_THAT(behaviour(Era::k6_12), testing::ElementsAre(false, true, true, true));
}

TEST(Layout, TheReasonFitsIntoAnyRoom) {
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
