// SPDX-License-Identifier: MIT
// Which processes map which part of a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/analyze/process/file_parts.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using testing::ElementsAre;

constexpr const char* kCachedFlags = "00000068";
constexpr const char* kAnonymousFlags = "00005868";

/// An area of four pages that begins 0x1000 bytes into the file; the last digits of the addresses
/// that are resident.
std::string mapped_file(const std::string& file, const std::vector<int>& pages,
                        const std::string& flags = kCachedFlags) {
  const std::string n = std::to_string(pages.size());
  std::string text = "V: 00500000, 00503FFF, 00004000, 0000" + n + "000, 00000000, 00000001, " +
                     file + ", 00001000, 08:01, 12\nP: " + n + ", 0, 0, 0, " + n + ", 0\nM: ";
  for (const int page : pages)
    text += "0050" + std::to_string(page) + "000=0000" + std::to_string(5 + page) + "000, 2, " +
            flags + " | ";
  text.pop_back();
  return text + "\n";
}

std::vector<FilePart> parts_of(const std::string& records) {
  FileParts parts({*NamePattern::parse("*lib.so")});
  fold(whole_snapshot(records), {&parts});
  return parts.parts();
}

TEST(FileParts, BeginWhereOtherProcessesMap) {
  const std::vector<FilePart> parts = parts_of(
      task_record(1, "a") + mapped_file("/lib.so", {0, 1}) + task_record(2, "b") +
      mapped_file("/lib.so", {1, 2}) + task_record(3, "b") + mapped_file("/lib.so", {1, 2}));
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0].offset, 0x1000U);
  EXPECT_EQ(parts[0].pages, 1U);
  EXPECT_THAT(parts[0].processes, ElementsAre(0U));
  EXPECT_EQ(parts[1].offset, 0x2000U);
  EXPECT_THAT(parts[1].processes, ElementsAre(0U, 1U, 2U));
  EXPECT_EQ(parts[2].offset, 0x3000U);
  EXPECT_THAT(parts[2].processes, ElementsAre(1U, 2U));
}

TEST(FileParts, AdjacentPagesOfTheSameProcessesAreOne) {
  const std::vector<FilePart> parts =
      parts_of(task_record(1, "a") + mapped_file("/lib.so", {0, 1, 3}));
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].pages, 2U);
  EXPECT_EQ(parts[1].offset, 0x4000U);
}

/// Two mappings by one process are one process.
TEST(FileParts, AProcessCountsOnce) {
  std::string second = mapped_file("/lib.so", {0});
  for (std::size_t at = 0; (at = second.find("0050", at)) != std::string::npos; at += 4)
    second.replace(at, 4, "0060");
  const std::vector<FilePart> parts =
      parts_of(task_record(1, "a") + mapped_file("/lib.so", {0, 1}) + second);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].pages, 2U);
  EXPECT_THAT(parts[0].processes, ElementsAre(0U));
}

TEST(FileParts, HaveNoPrivateCopiesAndNoOtherFiles) {
  EXPECT_TRUE(parts_of(task_record(1, "a") + mapped_file("/lib.so", {0}, kAnonymousFlags)).empty());
  EXPECT_TRUE(parts_of(task_record(1, "a") + mapped_file("/other", {0})).empty());
}

}  // namespace
}  // namespace physmem
