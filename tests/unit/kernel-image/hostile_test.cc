// SPDX-License-Identifier: MIT
// Malicious structures that do not result from random faults. They are made to keep a walker busy
// forever, or to make its output endless.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "analyzer/parse/snapshot_reader.h"
#include "tests/unit/kernel-image/fake_kernel.h"

namespace physmem::crash {
namespace {

constexpr std::uint64_t kUserSpace = std::uint64_t{1} << 47;
constexpr std::size_t kMaxText = 1 << 20;  ///< bytes
constexpr std::uint64_t kMaxReads = 20000;

/// Takes a snapshot and returns its text. The snapshot must be short and valid and must not need
/// many reads.
std::string valid_snapshot_of(FakeKernel& kernel) {
  kernel.memory.reset_reads();
  const Snapshot snapshot = snapshot_of(kernel, {}, false, kMaxText);
  EXPECT_EQ(snapshot.error, 0);
  EXPECT_LT(kernel.memory.reads(), kMaxReads);
  const std::string text = snapshot.header + snapshot.text;
  const auto source = text_source(text);
  SnapshotReader reader(*source, "s", {});
  Events ignored;
  const auto found = reader.next(ignored);
  EXPECT_TRUE(found) << (found ? "" : found.error().text);
  return snapshot.text;
}

class SnapshotOfHostileTables : public testing::TestWithParam<unsigned> {
 protected:
  SnapshotOfHostileTables() : kernel(Era::k6_1, GetParam()) {
    kernel.add_area(process.mm, {.start = 0, .end = kUserSpace});
  }

  void fill(std::uint64_t table, std::uint64_t entry) {
    for (std::uint64_t i = 0; i < 512; ++i) kernel.memory.put(table + 8 * i, 8, entry);
  }

  FakeKernel kernel;
  FakeProcess process = kernel.add_process({.pid = 7});
};

TEST_P(SnapshotOfHostileTables, IsBoundedIfTablesPointToThemselves) {
  for (unsigned level = 1; level < GetParam(); ++level) {
    const std::uint64_t table = kernel.table(process.mm, 0, level);
    const std::uint64_t before = kernel.memory.get(table, 8);
    fill(table, FakeMemory::physical(table) | kUser);
    EXPECT_THAT(valid_snapshot_of(kernel), testing::HasSubstr("note.corrupt=")) << level;
    fill(table, 0);
    kernel.memory.put(table, 8, before);
  }
}

/// There are 512 × 512 × … paths to the same few tables, and from the last table to pages.
TEST_P(SnapshotOfHostileTables, IsBoundedIfEveryEntryPointsToSameTable) {
  for (unsigned level = GetParam(); level-- > 1;)
    fill(kernel.table(process.mm, 0, level),
         FakeMemory::physical(kernel.table(process.mm, 0, level - 1)) | kUser);
  fill(kernel.table(process.mm, 0, 0), present(0x40000));
  const std::string text = valid_snapshot_of(kernel);
  EXPECT_THAT(text, testing::HasSubstr("note.corrupt="));
  EXPECT_EQ(std::count(text.begin(), text.end(), '|'), 512);
}

/// Every entry of every table points to another of the tables. The walk follows as many tables as
/// the kernel has counted.
TEST_P(SnapshotOfHostileTables, IsBoundedIfTablesContainOnlyTables) {
  std::vector<std::uint64_t> tables;
  for (int i = 0; i < 3000; ++i)
    tables.push_back(kernel.memory.allocate("page table", kPage, kPage));
  std::uint64_t next = 0;
  for (const std::uint64_t table : tables)
    for (std::uint64_t i = 0; i < 512; ++i)
      kernel.memory.put(table + 8 * i, 8,
                        FakeMemory::physical(tables[next++ % tables.size()]) | kUser);
  kernel.put(process.mm, "mm_struct.pgd", tables[0]);
  kernel.put(process.mm, "mm_struct.pgtables_bytes", 10 * kPage);
  EXPECT_THAT(valid_snapshot_of(kernel), testing::HasSubstr("note.corrupt="));
}

TEST_P(SnapshotOfHostileTables, IsBoundedIfEveryEntryIsGiantPage) {
  const std::uint64_t table = kernel.table(process.mm, 0, 2);
  fill(table, huge(0x40001 << 3));
  EXPECT_THAT(valid_snapshot_of(kernel), testing::HasSubstr("note.corrupt=512"));
  for (unsigned level = GetParam(); level-- > 3;) fill(kernel.table(process.mm, 0, level), huge(0));
  EXPECT_THAT(valid_snapshot_of(kernel), testing::HasSubstr("note.corrupt="));
}

TEST_P(SnapshotOfHostileTables, IsBoundedIfEveryEntryIsGarbage) {
  std::uint64_t state = 1;
  const std::uint64_t table = kernel.memory.allocate("page table", kPage, kPage);
  for (std::uint64_t i = 0; i < 512; ++i)
    kernel.memory.put(table + 8 * i, 8,
                      state = state * 6364136223846793005u + 1442695040888963407u);
  kernel.put(process.mm, "mm_struct.pgd", table);
  valid_snapshot_of(kernel);
}

INSTANTIATE_TEST_SUITE_P(Levels, SnapshotOfHostileTables, testing::Values(4u, 5u));

TEST(SnapshotOfHostileLists, EndsIfThreadsProcessesAndDentriesLoop) {
  FakeKernel kernel;
  const FakeProcess process = kernel.add_process({.pid = 7});
  const std::uint64_t thread = kernel.add_thread(process, {.pid = 8});
  const Place place = kernel.walk("/a/b/c");
  kernel.add_area(process.mm, {.start = 0x1000, .end = 0x2000, .file = kernel.file_at(place)});
  kernel.put(kernel.walk("/a").dentry, "dentry.d_parent", place.dentry);
  kernel.put(thread, "task_struct.thread_node/list_head.next",
             kernel.at(thread, "task_struct.thread_node"));
  kernel.put(process.task, "task_struct.tasks/list_head.next",
             kernel.at(process.task, "task_struct.tasks"));
  const std::string text = valid_snapshot_of(kernel);
  EXPECT_THAT(text, testing::HasSubstr(", [path too long], "));
  EXPECT_THAT(text, testing::HasSubstr("\nG: note.corrupt=2\n"));
  EXPECT_THAT(text, testing::HasSubstr("\nE: 2, 1, 0, 0, 0"));
}

/// Each of 999 processes has its own mm_struct with the same huge address space.
TEST(SnapshotOfHostileLists, ReadsEachAddressSpaceThatSharesTables) {
  FakeKernel kernel;
  const FakeProcess first = kernel.add_process({.pid = 1});
  kernel.add_area(first.mm, {.start = 0, .end = kUserSpace});
  kernel.map_page(first.mm, 0x1000, 0x40000);
  for (std::uint64_t pid = 2; pid < 1000; ++pid) {
    const FakeProcess other = kernel.add_process({.pid = pid});
    for (const char* member : {"mm_struct.pgd", "mm_struct.pgtables_bytes"})
      kernel.put(other.mm, member, kernel.get(first.mm, member));
    kernel.add_area(other.mm, {.start = 0, .end = kUserSpace});
  }
  EXPECT_THAT(valid_snapshot_of(kernel), testing::HasSubstr("\nE: 999, 999, 999, 0, 0"));
}

}  // namespace
}  // namespace physmem::crash
