// SPDX-License-Identifier: MIT
// PageReader: pages as columns, in batches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
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

SnapshotError error_of(PageReader reader) {
  try {
    while (reader.next() != nullptr) continue;
  } catch (const SnapshotError& error) {
    return error;
  }
  return {SnapshotError::Kind::kIo, "nothing was thrown", ""};
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
  EXPECT_THAT(error_of(snapshot.pages()).what(), HasSubstr("has changed"));
}

TEST(LibraryPages, ReportsThatTheFileBecameShorterWhileItWasRead) {
  for (const std::uint64_t pages : {20'000U, 200'000U}) {  // the longer file is mapped
    const TemporaryFolder folder;
    const std::string path = folder.put("s.txt", text_of_run(pages));
    PageReader reader = Snapshot::open(path).pages({.batch_rows = 100});
    EXPECT_NE(reader.next(), nullptr);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    const SnapshotError error = error_of(std::move(reader));
    EXPECT_EQ(error.kind(), SnapshotError::Kind::kIo);
    EXPECT_EQ(std::string(error.what()), path + ": the file became shorter while it was read");
  }
}

TEST(LibraryPages, RejectsFifos) {
  const TemporaryFolder folder;
  const std::string fifo = folder.path("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(fifo) << text_of_run(3); });
  const Snapshot snapshot = Snapshot::open(fifo);
  writer.join();
  EXPECT_EQ(snapshot.processes().size(), 1U);
  EXPECT_EQ(error_of(snapshot.pages()).what(),
            fifo + ": cannot be read again: it is not a regular file");
  const PageReader not_used = snapshot.pages();
}

TEST(LibraryPages, RejectsAFileThatWasReplacedByAFifo) {
  const TemporaryFolder folder;
  const std::string path = folder.put("s.txt", text_of_run(3));
  const Snapshot snapshot = Snapshot::open(path);
  std::filesystem::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_THAT(error_of(snapshot.pages()).what(), HasSubstr("it is not a regular file"));
}

TEST(LibraryPages, RejectsBatchRowsOutOfRange) {
  const TemporaryFolder folder;
  const Snapshot snapshot = Snapshot::open(folder.put("s.txt", text_of_run(3)));
  for (const std::size_t rows : {std::size_t{0}, PageOptions::kMaxBatchRows + 1})
    EXPECT_THROW(static_cast<void>(snapshot.pages({.batch_rows = rows})), std::invalid_argument);
}

TEST(LibraryPages, HasNoBatchesAfterAMove) {
  const TemporaryFolder folder;
  PageReader first = Snapshot::open(folder.put("s.txt", text_of_run(3))).pages();
  PageReader second = std::move(first);
  EXPECT_EQ(first.next(), nullptr);  // NOLINT(bugprone-use-after-move)
  EXPECT_NE(second.next(), nullptr);
}

}  // namespace
}  // namespace physmem
