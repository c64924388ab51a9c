// SPDX-License-Identifier: MIT
// PageReader: pages as columns, in batches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "physmem/physmem.h"
#include "tests/unit/snapshot_text.h"
#include "tests/unit/temporary_folder.h"

namespace physmem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Adjacent pages in one area, with equal flags: one run.
std::string text_of_run(std::uint64_t pages) {
  constexpr std::uint64_t kStart = 0x10000, kFrame = 0x200000, kPage = 4096;
  std::string list = "M:";
  for (std::uint64_t i = 0; i < pages; ++i)
    list += fmt::format(" {:08X}={:08X}, 1, 00005868 |", kStart + i * kPage, kFrame + i * kPage);
  return std::string(kHeaderLine) + std::string(kTaskLine) +
         fmt::format(
             "V: {0:08X}, {1:08X}, {2:08X}, {2:08X}, 00000000, 00000003, NULL, 00000000, "
             "00:00, 0\n",
             kStart, kStart + pages * kPage - 1, pages * kPage) +
         fmt::format("P: {0}, 0, 0, {0}, 0, 0\n", pages) + list + "\n" +
         fmt::format("E: 1, 1, {}, 0, 0\n", pages);
}

std::vector<std::uint64_t> vector_of(std::span<const std::uint64_t> values) {
  return {values.begin(), values.end()};
}

TEST(LibraryPages, HasThePagesOfAllAreas) {
  const TemporaryFolder folder;
  PageReader reader = Snapshot::open(folder.put("s.txt", std::string(kSample))).pages();
  const PageReader::Batch batch = reader.next();
  ASSERT_NE(batch, nullptr);
  EXPECT_THAT(vector_of(batch->pid), ElementsAre(371, 371, 371));
  EXPECT_THAT(vector_of(batch->area), ElementsAre(0, 0, 1));
  EXPECT_THAT(vector_of(batch->address),
              ElementsAre(0x55D0C1A00000, 0x55D0C1A01000, 0x7FFD3E020000));
  EXPECT_THAT(vector_of(batch->pfn), ElementsAre(0x1A2B3, 0x1A2B4, 0x2C0F5));
  EXPECT_THAT(vector_of(batch->count), ElementsAre(2, 2, 1));
  EXPECT_THAT(vector_of(batch->flags), ElementsAre(0x86C, 0x86C, 0x5868));
  EXPECT_THAT(vector_of(batch->pages), ElementsAre(1, 1, 1));
  EXPECT_EQ(reader.next(), nullptr);
  EXPECT_EQ(reader.next(), nullptr);
}

TEST(LibraryPages, DividesARunIntoBatches) {
  const TemporaryFolder folder;
  PageReader reader = Snapshot::open(folder.put("s.txt", text_of_run(10))).pages({.batch_rows = 4});
  std::vector<std::size_t> sizes;
  std::uint64_t next = 0x200;
  for (const PageBatchColumns& batch : reader) {
    sizes.push_back(batch.size());
    for (const std::uint64_t pfn : batch.pfn) EXPECT_EQ(pfn, next++);
  }
  EXPECT_THAT(sizes, ElementsAre(4, 4, 2));
}

TEST(LibraryPages, GivesRunsOnRequest) {
  const TemporaryFolder folder;
  PageReader reader = Snapshot::open(folder.put("s.txt", text_of_run(10))).pages({.as_runs = true});
  const PageReader::Batch batch = reader.next();
  ASSERT_NE(batch, nullptr);
  EXPECT_THAT(vector_of(batch->pfn), ElementsAre(0x200));
  EXPECT_THAT(vector_of(batch->pages), ElementsAre(10));
}

TEST(LibraryPages, BatchesKeepTheirValues) {
  const TemporaryFolder folder;
  PageReader reader =
      Snapshot::open(folder.put("s.txt", text_of_run(100))).pages({.batch_rows = 1});
  std::vector<PageReader::Batch> batches;
  while (PageReader::Batch batch = reader.next()) batches.push_back(std::move(batch));
  ASSERT_EQ(batches.size(), 100U);
  for (std::size_t i = 0; i < batches.size(); ++i) EXPECT_EQ(batches[i]->pfn[0], 0x200 + i);
}

TEST(LibraryPages, CanBeLeftBeforeItsEnd) {
  const TemporaryFolder folder;
  PageReader reader =
      Snapshot::open(folder.put("s.txt", text_of_run(100))).pages({.batch_rows = 1});
  EXPECT_NE(reader.next(), nullptr);
}

TEST(LibraryPages, ReadsTheSnapshotOfItsSeries) {
  const TemporaryFolder folder;
  const std::string path = folder.put("s.txt", text_of_run(1) + text_of_run(3) + text_of_run(2));
  SeriesReader series(path);
  std::vector<std::size_t> sizes;
  while (const auto snapshot = series.next()) sizes.push_back(snapshot->pages().next()->size());
  EXPECT_THAT(sizes, ElementsAre(1, 3, 2));
}

TEST(LibraryPages, ReadsOnlyTheProcessesAskedFor) {
  const TemporaryFolder folder;
  const std::string path = folder.put("s.txt", text_of_run(3));
  EXPECT_EQ(Snapshot::open(path, {.pids = {8}}).pages().next(), nullptr);
  EXPECT_EQ(Snapshot::open(path, {.pids = {7}}).pages().next()->size(), 3U);
}

TEST(LibraryPages, RejectsAChangedFile) {
  const TemporaryFolder folder;
  const std::string path = folder.put("s.txt", text_of_run(3));
  const Snapshot snapshot = Snapshot::open(path);
  folder.put("s.txt", text_of_run(4));
  PageReader reader = snapshot.pages();
  try {
    reader.next();
    FAIL() << "nothing was thrown";
  } catch (const SnapshotError& error) {
    EXPECT_THAT(error.what(), HasSubstr("has changed"));
  }
}

}  // namespace
}  // namespace physmem
