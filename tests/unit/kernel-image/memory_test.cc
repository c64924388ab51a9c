// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

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
  dump.may_read = [](void*, pm_space, __u64 at) { return at != kBase + PM_BLOCK; };
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

}  // namespace
}  // namespace physmem::crash
