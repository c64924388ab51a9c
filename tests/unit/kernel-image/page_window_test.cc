// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <span>
#include <utility>
#include <vector>

extern "C" {
#include "kernel-image/page_window.h"
}

namespace physmem::crash {
namespace {

constexpr __u64 kFirst = 0xFFFFEA0000000000;  ///< the struct page of frame 0
constexpr std::size_t kSize = 64;

/// Each struct page contains its own address.
class PageWindow : public testing::Test {
 protected:
  PageWindow() {
    dump.self = this;
    dump.may_read = [](void* self, __u64 at) {
      PageWindow& test = *static_cast<PageWindow*>(self);
      test.asked.insert(at);
      return test.forbidden.count(at) == 0;
    };
    dump.read_list = [](void* self, pm_item* items, size_t n) {
      static_cast<PageWindow*>(self)->read(std::span(items, n));
    };
    window.bytes = bytes.data();
  }

  static __u64 page(__u64 pfn) { return kFirst + pfn * kSize; }
  void read(std::span<pm_item> items) {
    lists.emplace_back();
    for (pm_item& item : items) {
      lists.back().emplace_back(item.at, item.bytes);
      item.is_read = missing.count(item.at) == 0;
      for (__u64 at = item.at; at < item.at + item.bytes; at += kSize)
        std::memcpy(static_cast<char*>(item.to) + (at - item.at), &at, sizeof at);
    }
  }
  bool add(__u64 pfn, std::size_t frames = 1) {
    return pm_window_add(&window, page(pfn), frames * kSize);
  }
  void read() { pm_window_read(&window, &dump); }
  /// Whether the struct page is found, with its own bytes.
  bool finds(__u64 pfn) {
    const unsigned char* const found = pm_window_find(&window, page(pfn), kSize);
    __u64 at = 0;
    if (found != nullptr) std::memcpy(&at, found, sizeof at);
    return at == page(pfn);
  }

  using Item = std::pair<__u64, std::uint32_t>;
  std::vector<unsigned char> bytes = std::vector<unsigned char>(PM_WINDOW_BYTES);
  pm_page_window window{};
  pm_dump dump{};
  std::vector<std::vector<Item>> lists;
  std::set<__u64> asked, forbidden, missing;
};

TEST_F(PageWindow, ReadsNeighboursAsOneItemOfAtMostAPage) {
  for (const __u64 pfn : {0, 1, 1, 2, 100, 7, 8}) EXPECT_TRUE(add(pfn));
  for (__u64 pfn = 1000; pfn < 1100; ++pfn) EXPECT_TRUE(add(pfn));
  read();
  EXPECT_EQ(lists, (std::vector<std::vector<Item>>{{{page(0), 3 * kSize},
                                                    {page(100), kSize},
                                                    {page(7), 2 * kSize},
                                                    {page(1000), 4096},
                                                    {page(1064), 36 * kSize}}}));
  for (const __u64 pfn : {0, 1, 2, 1, 100, 7, 8, 1000, 1063, 1064, 1099}) EXPECT_TRUE(finds(pfn));
  EXPECT_FALSE(finds(3));
}

TEST_F(PageWindow, FindsWhatFollowsSoon) {
  for (__u64 i = 0; i < 20; ++i) add(10 * i);
  read();
  EXPECT_TRUE(finds(0));
  EXPECT_TRUE(finds(70));
  EXPECT_FALSE(finds(60));
  EXPECT_FALSE(finds(150));
  EXPECT_TRUE(finds(140));
  EXPECT_TRUE(finds(190));
  EXPECT_TRUE(finds(0));  // after the last one comes the first
}

TEST_F(PageWindow, ReadsOnlyWhatMayBeRead) {
  forbidden = {page(40), page(163)};
  missing = {page(60)};
  add(20);
  add(40);
  add(60);
  add(160, 4);  // by its first and its last byte, if these are in two pages
  add(80);
  read();
  EXPECT_EQ(lists, (std::vector<std::vector<Item>>{
                       {{page(20), kSize}},
                       {{page(60), kSize}, {page(160), 4 * kSize}, {page(80), kSize}}}));
  EXPECT_FALSE(finds(40));
  EXPECT_FALSE(finds(60));
  EXPECT_TRUE(finds(20));
  EXPECT_TRUE(finds(80));
}

TEST_F(PageWindow, AsksForBothEndsOfAnItemInTwoPages) {
  add(62, 4);
  forbidden = {page(66) - 1};
  read();
  EXPECT_EQ(asked, (std::set<__u64>{page(62), page(66) - 1}));
  EXPECT_TRUE(lists.empty());
  EXPECT_FALSE(finds(62));
}

TEST_F(PageWindow, ReadsListsOfAllItemsUntilItIsFull) {
  __u64 items = 0;
  while (add(2 * items)) ++items;
  EXPECT_EQ(items, PM_WINDOW_ITEMS);
  read();
  ASSERT_EQ(lists.size(), PM_WINDOW_ITEMS / PM_ITEMS);
  for (const auto& list : lists) EXPECT_EQ(list.size(), PM_ITEMS);
  for (__u64 i = 0; i < items; ++i) EXPECT_TRUE(finds(2 * i));
  pm_window_clear(&window);
  EXPECT_FALSE(finds(0));
  __u64 pages = 0;
  while (add(pages)) ++pages;
  EXPECT_EQ(pages, PM_WINDOW_BYTES / kSize);
}

}  // namespace
}  // namespace physmem::crash
