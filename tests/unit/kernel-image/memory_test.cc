// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "tests/unit/kernel-image/fake_kernel.h"

namespace physmem::crash {
namespace {

constexpr std::uint64_t kBase = FakeMemory::kDirectMap + 0x10000;

class Memory : public testing::Test {
 protected:
  Memory() { pm_memory_open(&memory, &dump); }
  ~Memory() override { pm_memory_close(&memory); }

  std::string text(std::uint64_t at, std::size_t room) {
    std::string bytes(room, '#');
    const std::size_t n = pm_get_text(&memory, at, bytes.data(), room);
    EXPECT_EQ(bytes[n], '\0');
    return bytes.substr(0, n);
  }

  FakeKernel kernel;
  pm_dump dump = kernel.dump();
  pm_memory memory{};
};

TEST_F(Memory, ReadsAcrossBlocks) {
  std::string written(3 * PM_BLOCK, '\0');
  for (std::size_t i = 0; i < written.size(); ++i) written[i] = static_cast<char>(i * 7 + i / 256);
  kernel.memory.put_text(kBase, written);
  std::string read(2 * PM_BLOCK, '#');
  EXPECT_TRUE(pm_read(&memory, PM_KERNEL, kBase + 100, read.data(), read.size()));
  EXPECT_EQ(read, written.substr(100, read.size()));
  EXPECT_TRUE(pm_read(&memory, PM_PHYSICAL, 0x10000 + 100, read.data(), read.size()));
  EXPECT_EQ(read, written.substr(100, read.size()));
  EXPECT_EQ(memory.missing, 0u);
}

TEST_F(Memory, ReadsOnlyWhatMayBeRead) {
  dump.may_read = [](void*, __u64 at) { return at != kBase + PM_BLOCK; };
  kernel.memory.put(kBase, 8, 1);
  kernel.memory.put(kBase + PM_BLOCK, 8, 2);
  kernel.memory.reset_reads();
  EXPECT_EQ(pm_get(&memory, kBase, {0, 8}), 1u);
  EXPECT_EQ(pm_get(&memory, kBase + PM_BLOCK, {0, 8}), 0u);
  EXPECT_EQ(kernel.memory.reads(), 1u);
  EXPECT_EQ(memory.missing, 1u);
}

TEST_F(Memory, ReadsEachBlockOnce) {
  kernel.memory.reset_reads();
  for (std::uint64_t i = 0; i < 100; ++i) pm_get(&memory, kBase + 8 * i, {0, 8});
  EXPECT_EQ(kernel.memory.reads(), 1u);
  kernel.memory.lose(kBase + PM_BLOCK);
  for (std::uint64_t i = 0; i < 100; ++i) pm_get(&memory, kBase + PM_BLOCK + 8 * i, {0, 8});
  EXPECT_EQ(kernel.memory.reads(), 2u);
  EXPECT_EQ(memory.missing, 100u);
}

/// Blocks that share a cache slot do not return each other's bytes.
TEST_F(Memory, DistinguishesBlocksInSameCacheSlot) {
  for (std::uint64_t i = 0; i < 8; ++i) kernel.memory.put(kBase + i * PM_BLOCK * 4096, 8, 100 + i);
  for (int round = 0; round < 2; ++round)
    for (std::uint64_t i = 0; i < 8; ++i)
      EXPECT_EQ(pm_get(&memory, kBase + i * PM_BLOCK * 4096, {0, 8}), 100 + i);
}

TEST_F(Memory, ReadsMissingBytesAsZerosAndCountsThem) {
  std::string bytes(200, 'x');
  kernel.memory.put_text(kBase + PM_BLOCK - 100, bytes);
  kernel.memory.lose(kBase + PM_BLOCK);
  EXPECT_FALSE(pm_read(&memory, PM_KERNEL, kBase + PM_BLOCK - 100, bytes.data(), bytes.size()));
  EXPECT_EQ(bytes, std::string(200, '\0'));
  EXPECT_EQ(pm_get(&memory, kBase + PM_BLOCK, {0, 8}), 0u);
  EXPECT_EQ(pm_get(&memory, 8, {0, 8}), 0u);
  EXPECT_EQ(pm_get(&memory, ~std::uint64_t{0} - 3, {0, 8}), 0u);
  EXPECT_EQ(memory.missing, 4u);
}

TEST_F(Memory, ReadsNumbersOfOneToEightBytes) {
  kernel.memory.put(kBase, 8, 0x8877665544332211);
  const auto number = [this](int offset, int size) {
    return pm_get(&memory, kBase, {offset, size});
  };
  EXPECT_EQ(number(0, 1), 0x11u);
  EXPECT_EQ(number(1, 2), 0x3322u);
  EXPECT_EQ(number(2, 4), 0x66554433u);
  EXPECT_EQ(number(0, 8), 0x8877665544332211u);
  EXPECT_EQ(number(0, 3), 0u);
  EXPECT_EQ(number(0, 16), 0u);
  EXPECT_EQ(number(-1, 8), 0u);  // no such member
  EXPECT_EQ(memory.missing, 0u);
}

TEST_F(Memory, EndsTextAtZeroByteOrBufferEnd) {
  kernel.memory.put_text(kBase, "swapper/0");
  kernel.memory.put_text(kBase + PM_BLOCK - 4, "over the edge");
  EXPECT_EQ(text(kBase, 100), "swapper/0");
  EXPECT_EQ(text(kBase, 10), "swapper/0");
  EXPECT_EQ(text(kBase, 9), "swapper/");
  EXPECT_EQ(text(kBase, 1), "");
  EXPECT_EQ(text(kBase + PM_BLOCK - 4, 100), "over the edge");
}

TEST_F(Memory, EndsTextBeforeMissingBlock) {
  kernel.memory.put_text(kBase + PM_BLOCK - 4, "over the edge");
  kernel.memory.lose(kBase + PM_BLOCK);
  EXPECT_EQ(text(kBase + PM_BLOCK - 4, 100), "over");
  EXPECT_EQ(memory.missing, 1u);
  kernel.memory.put_text(kBase + PM_BLOCK - 4, std::string_view("end\0", 4));
  pm_memory_close(&memory);
  pm_memory_open(&memory, &dump);
  EXPECT_EQ(text(kBase + PM_BLOCK - 4, 100), "end");
  EXPECT_EQ(memory.missing, 0u);
}

/// A running kernel that reads lists, and only what it may read of its direct map.
class MemoryByLists : public testing::Test {
 protected:
  MemoryByLists() {
    dump.self = this;
    dump.direct_map = FakeMemory::kDirectMap;
    dump.read = [](void* self, pm_space space, __u64 at, void* to, size_t n) {
      return of(self).kernel.memory.read(space, at, to, n);
    };
    dump.read_list = [](void* self, pm_item* items, size_t n) { of(self).read_list(items, n); };
    dump.page_at = [](void*, __u64 at) { return page_of(at); };
    dump.may_read = [](void* self, __u64 at) { return of(self).may_read(at); };
    pm_memory_open(&memory, &dump);
    pm_memory_set_pages(&memory, kStructs, 0x10000);
  }
  ~MemoryByLists() override { pm_memory_close(&memory); }

  static constexpr std::uint64_t kStructs = FakeMemory::kStructPages;

  static MemoryByLists& of(void* self) { return *static_cast<MemoryByLists*>(self); }
  static __u64 page_of(__u64 at) { return kStructs + (at - FakeMemory::kDirectMap) / kPage * 64; }
  bool may_read(std::uint64_t at) {
    asked.push_back(at);
    for (const std::uint64_t other : std::exchange(read_before, {})) get(other);
    return at != forbidden;
  }
  void read_list(pm_item* items, std::size_t n) {
    lists.emplace_back();
    for (pm_item& item : std::span(items, n)) {
      lists.back().push_back(item.bytes);
      item.is_read = kernel.memory.read(PM_KERNEL, item.at, item.to, item.bytes);
    }
  }
  void prefetch(std::vector<__u64> at, std::size_t bytes = 8) {
    pm_prefetch(&memory, at.data(), at.size(), bytes);
  }
  std::uint64_t get(std::uint64_t at) { return pm_get(&memory, at, {0, 8}); }

  FakeKernel kernel;
  pm_dump dump = kernel.dump();
  pm_memory memory{};
  std::vector<std::vector<std::uint32_t>> lists;  ///< bytes of the items of each list
  std::vector<__u64> asked;                       ///< of may_read()
  std::vector<__u64> read_before;                 ///< by may_read(), once, before it answers
  std::uint64_t forbidden = 0;
};

constexpr std::uint64_t kSmall = PM_SMALL_BLOCK;
using Lists = std::vector<std::vector<std::uint32_t>>;

TEST_F(MemoryByLists, ReadBlocksOfAPageThatFollowEachOtherAsOnePiece) {
  constexpr std::uint64_t kFirst = kStructs + 0x2000;
  const std::vector<__u64> at{kFirst + 64,         kStructs + 64,  kFirst + kSmall + 64,
                              kFirst + 2 * kSmall, kFirst + 0xfc0, kFirst + 0x1000};
  for (const std::uint64_t one : at) kernel.memory.put(one, 8, one);
  prefetch({at[1], 0, at[0], at[2], at[3], at[2], at[4], at[5], at[1]});
  EXPECT_EQ(lists, (Lists{{kSmall, 3 * kSmall, kSmall, kSmall}}));
  kernel.memory.reset_reads();
  for (const std::uint64_t one : at) EXPECT_EQ(get(one), one);
  prefetch(at);
  EXPECT_EQ(kernel.memory.reads(), 0u);
  EXPECT_EQ(memory.missing, 0u);
}

TEST_F(MemoryByLists, ReadAllBlocksOfAnObject) {
  kernel.memory.put(kStructs + kSmall, 8, 7);
  prefetch({kStructs + kSmall - 8}, 16);
  EXPECT_EQ(lists, (Lists{{2 * kSmall}}));
  std::array<__u64, 2> read{};
  EXPECT_TRUE(pm_read(&memory, PM_KERNEL, kStructs + kSmall - 8, read.data(), sizeof read));
  EXPECT_EQ(read[1], 7u);
}

TEST_F(MemoryByLists, ReadPhysicalAddressesInTheDirectMap) {
  kernel.memory.put(kBase, 8, 5);
  std::array<char, 2 * PM_SMALL_BLOCK> table{};
  EXPECT_TRUE(
      pm_read(&memory, PM_PHYSICAL, kBase - FakeMemory::kDirectMap, table.data(), table.size()));
  EXPECT_EQ(pm_number(table.data(), 8), 5u);
  EXPECT_EQ(lists, (Lists{{kSmall}, {2 * kSmall}}));  // its struct page, and both blocks
  kernel.memory.reset_reads();
  EXPECT_EQ(get(kBase), 5u);
  // The direct map has only RAM: what lies above is other memory of the kernel.
  dump.needs_tables = [](void*, __u64 at) { return at >= kStructs + 0x10000; };
  EXPECT_FALSE(
      pm_read(&memory, PM_PHYSICAL, kStructs + 0x20000 - FakeMemory::kDirectMap, table.data(), 8));
  EXPECT_EQ(kernel.memory.reads(), 0u);
}

TEST_F(MemoryByLists, KeepStructPagesOfOneProcessForTheNextButNotForLong) {
  kernel.memory.put(kStructs, 8, 1);
  kernel.memory.put(kBase, 8, 1);
  prefetch({kStructs, kBase});
  kernel.memory.put(kStructs, 8, 2);
  kernel.memory.put(kBase, 8, 2);
  memory.pages_ns = ~__u64{0} / 2;  // in the future: they are not old yet
  pm_memory_renew(&memory);
  EXPECT_EQ(get(kStructs), 1u);
  EXPECT_EQ(get(kBase), 2u);
  pm_memory_renew_pages(&memory);
  EXPECT_EQ(get(kStructs), 2u);
  kernel.memory.put(kStructs, 8, 3);
  memory.pages_ns = 0;
  pm_memory_renew(&memory);
  EXPECT_EQ(get(kStructs), 3u);
}

TEST_F(MemoryByLists, ReadTheStructPagesOfBlocksBeforeTheyAreAllowed) {
  const std::uint64_t first = kBase, second = first + kSmall / 64 * kPage;
  kernel.memory.put(first, 8, 1);
  kernel.memory.put(second, 8, 2);
  forbidden = second;
  prefetch({first + 8, first + 16, second + 8});
  EXPECT_EQ(lists, (Lists{{2 * kSmall}, {kSmall}}));
  const std::uint64_t page = page_of(first) / kPage * kPage;
  EXPECT_EQ(asked, (std::vector<__u64>{page, first, second}));
  EXPECT_EQ(get(first), 1u);
  EXPECT_EQ(get(second), 0u);
  EXPECT_EQ(memory.missing, 1u);
}

/// may_read() reads so much that each place of the cache is given to another block in between.
TEST_F(MemoryByLists, GiveEachBlockItsOwnBytesAlthoughTheQuestionReadsOthers) {
  const std::vector<__u64> at{kBase, kBase + kPage, kBase + 2 * kPage};
  for (const std::uint64_t one : at) kernel.memory.put(one, 8, one);
  constexpr std::uint64_t kPlaces = std::uint64_t{1} << 14;
  for (std::uint64_t i = 0; i < 3 * kPlaces; ++i)
    read_before.push_back(kBase + 0x100000 + i * kSmall);
  prefetch(at);
  for (const std::uint64_t one : at) EXPECT_EQ(get(one), one);
}

TEST_F(MemoryByLists, NoteABlockThatCannotBeRead) {
  kernel.memory.lose(kStructs);
  kernel.memory.lose(kBase);
  prefetch({kStructs, kBase});
  EXPECT_EQ(get(kStructs), 0u);
  EXPECT_EQ(get(kBase), 0u);
  EXPECT_EQ(memory.missing, 2u);
}

}  // namespace
}  // namespace physmem::crash
