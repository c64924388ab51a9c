// SPDX-License-Identifier: MIT
// Differences of the whole of RAM between two snapshots.
#include "analyzer/analyze/diff/ram_diff.h"

#include <gtest/gtest.h>

#include "tests/unit/ram_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

constexpr std::string_view kFile = "O: 1, file, ext4, FE:01, 12, 4096000, 1, -, /data\n";
constexpr std::string_view kSlab = "O: 2, slab, 192, 21, dentry\n";
constexpr std::string_view kGroup = "O: 3, cgroup, 93, online, /a\n";

/// One line per owner with pages.
std::string owners_of(const RamDiff& diff) {
  std::string text = "\n";
  for (const OwnerChange& row : diff.owners()) {
    if (!row.has_pages()) continue;
    text += fmt::format("{}{}{}: {} to {}, {} stayed, {} moved\n", row.owner.name,
                        row.was_there ? "" : " new", row.is_there ? "" : " gone", row.before,
                        row.after, row.stayed, row.moved);
  }
  return text;
}

/// The owners of both are those above.
RamDiff diff_of(const std::string& before, const std::string& after) {
  RamDiff diff;
  fold(before, {&diff});
  fold(after, {&diff});
  return diff;
}

std::string diff_of_runs(std::string_view before, std::string_view after) {
  const std::string owners = std::string(kFile) + std::string(kSlab) + std::string(kGroup);
  return owners_of(diff_of(ram_snapshot(10, owners + std::string(before)),
                           ram_snapshot(20, owners + std::string(after))));
}

TEST(RamDiff, ComparesPagesOfFilesByTheirPlace) {
  // Pages 0 to 9; then 2 to 5 in the same frames, 6 to 9 elsewhere, and two new ones.
  EXPECT_EQ(diff_of_runs("R: 00000010, 10, file, 1, 0, 0, 0, 00000000\n",
                         "R: 00000012, 4, file, 1, 0, 0, 0, 00000002\n"
                         "R: 00000100, 6, file, 1, 0, 0, 1, 00000006\n"),
            "\n/data: 10 to 10, 8 stayed, 4 moved\n");
}

TEST(RamDiff, ComparesPagesOfFilesAcrossRunsOfBoth) {
  EXPECT_EQ(diff_of_runs("R: 00000010, 3, file, 1, 0, 0, 0, 00000000\n"
                         "R: 00000020, 3, file, 1, 0, 0, 0, 00000003\n"
                         "R: 00000030, 3, file, 1, 0, 0, 0, 00000009\n",
                         "R: 00000040, 12, file, 1, 0, 0, 0, 00000000\n"),
            "\n/data: 9 to 12, 9 stayed, 9 moved\n");
}

TEST(RamDiff, ComparesRunsOfAnyLength) {
  // 2^40 frames: in entries of at most 4095 they would need 6 GiB.
  EXPECT_EQ(diff_of_runs("R: 00000010, 1099511627776, slab, 2, 0, 0, 0, 0\n",
                         "R: 00000010, 1099511627776, slab, 2, 0, 0, 0, 0\n"),
            "\ndentry: 1099511627776 to 1099511627776, 1099511627776 stayed, 0 moved\n");
  // 1,000,003 in several parts, and a run that has the last three of these places as well.
  EXPECT_EQ(diff_of_runs("R: 00000010, 1000003, file, 1, 0, 0, 0, 00000000\n"
                         "R: 00200000, 13, file, 1, 0, 0, 0, 000F4240\n",
                         "R: 00000010, 1000013, file, 1, 0, 0, 0, 00000000\n"),
            "\n/data: 1000016 to 1000013, 1000013 stayed, 10 moved\n");
}

TEST(RamDiff, ComparesOtherOwnersByTheirFrames) {
  EXPECT_EQ(diff_of_runs("R: 00000010, 8, slab, 2, 3, 0, 0, 0\n",
                         "R: 00000014, 8, slab, 2, 3, 0, 0, 0\n"),
            "\ndentry: 8 to 8, 4 stayed, 0 moved\n/a: 8 to 8, 4 stayed, 0 moved\n");
}

TEST(RamDiff, ComparesControlGroupsOfFilesByFrame) {
  EXPECT_EQ(diff_of_runs("R: 00000010, 4, file, 1, 3, 0, 0, 0\n",
                         "R: 00000010, 2, file, 1, 3, 0, 0, 0\n"
                         "R: 00000012, 2, file, 1, 0, 0, 0, 2\n"),
            "\n/data: 4 to 4, 4 stayed, 0 moved\n/a: 4 to 2, 2 stayed, 0 moved\n");
}

TEST(RamDiff, StoresLongRunsInParts) {
  EXPECT_EQ(diff_of_runs("R: 00000010, 20000, file, 1, 3, 0, 0, 00000000\n",
                         "R: 00000010, 20000, file, 1, 3, 0, 0, 00000000\n"),
            "\n/data: 20000 to 20000, 20000 stayed, 0 moved\n"
            "/a: 20000 to 20000, 20000 stayed, 0 moved\n");
}

TEST(RamDiff, CountsNoPageTwiceIfItWasSeenTwice) {
  EXPECT_EQ(diff_of_runs("R: 00000010, 2, file, 1, 0, 0, 0, 0\n",
                         "R: 00000010, 2, file, 1, 0, 0, 0, 0\n"
                         "R: 00000020, 2, file, 1, 0, 0, 0, 0\n"),
            "\n/data: 2 to 4, 2 stayed, 0 moved\n");
  EXPECT_EQ(diff_of_runs("R: 00000010, 1, file, 1, 0, 0, 0, 0\n"
                         "R: 00000020, 8, file, 1, 0, 0, 0, 0\n"
                         "R: 00000030, 2, file, 1, 0, 0, 0, 4\n",
                         "R: 00000020, 8, file, 1, 0, 0, 0, 0\n"),
            "\n/data: 11 to 8, 8 stayed, 1 moved\n");
}

TEST(RamDiff, ComparesManyRunsWithTheSamePlacesWithoutMuchTime) {
  constexpr std::uint64_t kRuns = 40000;
  std::string one_page = std::string(kFile);
  std::string all_pages = one_page;
  for (std::uint64_t i = 0; i < kRuns; ++i) {
    one_page += fmt::format("R: {:08X}, 1, file, 1, 0, 0, 0, {:X}\n", 0x10 + i, i);
    all_pages += fmt::format("R: {:X}, {}, file, 1, 0, 0, 0, 0\n", 0x10 + i * kRuns, kRuns);
  }
  const std::string small = ram_snapshot(10, one_page);
  const std::string large = ram_snapshot(20, all_pages);
  EXPECT_EQ(owners_of(diff_of(small, large)),
            "\n/data: 40000 to 1600000000, 40000 stayed, 0 moved\n");
  EXPECT_EQ(owners_of(diff_of(ram_snapshot(10, all_pages), ram_snapshot(20, all_pages))),
            "\n/data: 1600000000 to 1600000000, 40000 stayed, 0 moved\n");
}

/// `line` is the owner with id 1 of the second snapshot.
std::string with_owner(std::string_view line) {
  constexpr std::string_view kRun = "R: 00000010, 4, file, 1, 0, 0, 0, 0\n";
  return owners_of(diff_of(ram_snapshot(10, std::string(kFile) + std::string(kRun)),
                           ram_snapshot(20, std::string(line) + std::string(kRun))));
}

TEST(RamDiff, RecognizesFilesByDeviceInodeAndPath) {
  constexpr std::string_view kOther = "\n/data gone: 4 to 0, 0 stayed, 0 moved\n";
  EXPECT_EQ(with_owner(kFile), "\n/data: 4 to 4, 4 stayed, 0 moved\n");
  EXPECT_EQ(with_owner("O: 1, file, ext4, FE:01, 12, 0, 1, -, [name not cached]\n"),
            "\n/data: 4 to 4, 4 stayed, 0 moved\n")
      << "a name that could not be read is no other name";
  EXPECT_EQ(with_owner("O: 1, file, ext4, FE:01, 12, 0, 1, -, /log\n"),
            std::string(kOther) + "/log new: 0 to 4, 0 stayed, 0 moved\n")
      << "the inode was used again";
  EXPECT_EQ(with_owner("O: 1, file, ext4, FE:02, 12, 0, 1, -, /data\n"),
            std::string(kOther) + "/data new: 0 to 4, 0 stayed, 0 moved\n");
}

TEST(RamDiff, ComparesNoFramesAfterReboot) {
  const std::string records = std::string(kFile) + "R: 00000010, 4, file, 1, 0, 0, 0, 0\n";
  const RamDiff diff = diff_of(ram_snapshot(10, records, "ram_by=kcore, boot_id=a"),
                               ram_snapshot(20, records, "ram_by=kcore, boot_id=b"));
  EXPECT_FALSE(diff.knows_stayed());
  EXPECT_EQ(owners_of(diff), "\n/data: 4 to 4, 0 stayed, 0 moved\n");
  EXPECT_FALSE(diff.has_changed(diff.owners().front()));
}

TEST(RamDiff, ListsClassesByChange) {
  const RamDiff diff =
      diff_of(ram_snapshot(10, RamLines().add(10, "anon").add(5, "free").add(7, "slab").text()),
              ram_snapshot(20, RamLines().add(12, "anon").add(1, "pgtable").add(7, "slab").text()));
  std::string text;
  for (const ClassChange& row : diff.classes())
    text += fmt::format("{} {} {}\n", row.name, row.before, row.after);
  EXPECT_EQ(text, "free 5 0\nanon 10 12\npgtable 0 1\nslab 7 7\n");
}

TEST(RamDiff, IsUnknownWithoutTheWholeOfRam) {
  const std::string ram = ram_snapshot(10, RamLines().add(10, "anon").text());
  EXPECT_TRUE(diff_of(ram, ram).is_known());
  EXPECT_TRUE(diff_of(ram, std::string(kSample)).is_half_known());
  EXPECT_FALSE(diff_of(std::string(kSample), std::string(kSample)).is_half_known());
}

}  // namespace
}  // namespace physmem
