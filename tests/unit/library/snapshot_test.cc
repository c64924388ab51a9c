// SPDX-License-Identifier: MIT
// Snapshot::open and its rows, for a file that is small enough to count by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "physmem/physmem.h"
#include "tests/unit/ram_snapshot.h"
#include "tests/unit/snapshot_text.h"
#include "tests/unit/temporary_folder.h"

namespace physmem {
namespace {

using testing::HasSubstr;

Snapshot open_text(std::string_view text, const OpenOptions& options = {}) {
  const TemporaryFolder folder;
  return Snapshot::open(folder.put("s.txt", std::string(text)), options);
}

SnapshotError error_of(std::string_view text) {
  try {
    open_text(text);
  } catch (const SnapshotError& error) {
    return error;
  }
  return {SnapshotError::Kind::kIo, "nothing was thrown", ""};
}

TEST(LibrarySnapshot, HasItsHeaderAndSums) {
  const Snapshot snapshot = open_text(kSample);
  const SnapshotInfo& info = snapshot.info();
  EXPECT_EQ(info.format_version, 2);
  EXPECT_EQ(info.kernel, "6.1.0");
  EXPECT_EQ(info.page_size, 4096U);
  EXPECT_EQ(info.count_kind, "mappings");
  EXPECT_TRUE(info.has_pages);
  EXPECT_FALSE(info.has_ram);
  EXPECT_EQ(info.processes, 1U);
  EXPECT_EQ(info.kernel_threads, 1U);
  EXPECT_EQ(info.user_pages, 3U);
  EXPECT_EQ(info.ram_frames, std::nullopt);
  EXPECT_TRUE(info.is_complete);
  EXPECT_TRUE(snapshot.ledger().empty());
  EXPECT_TRUE(snapshot.notes().empty());
}

TEST(LibrarySnapshot, HasProcesses) {
  const Snapshot snapshot = open_text(kSample);
  ASSERT_EQ(snapshot.processes().size(), 1U);
  const ProcessRow& cat = snapshot.processes()[0];
  EXPECT_EQ(cat.pid, 371U);
  EXPECT_EQ(cat.name, "cat");
  EXPECT_EQ(cat.cgroup, "/user.slice");
  EXPECT_EQ(cat.uid, 0U);
  EXPECT_EQ(cat.rss, 3U);
  EXPECT_EQ(cat.uss, 1U);
  EXPECT_EQ(cat.pss, 2.0);
  EXPECT_EQ(cat.swap, 1U);
  EXPECT_EQ(cat.app_text, 2U);
  EXPECT_EQ(cat.stack, 1U);
}

TEST(LibrarySnapshot, HasOnlyCountsOfAProcessThatWasNotRead) {
  const std::string header(kSample.substr(0, kSample.find('\n') + 1));
  const Snapshot snapshot =
      open_text(header +
                "G: process.7.rss_kB=400, process.7.swap_kB=12\n"
                "T: hidden  , 7, 00000007, 0, 5, 0, 0, 0, 3, 2, 7, 70, 1, 0, 5, 0, 3, 2, /a\n"
                "E: 1, 0, 0, 0, 0\n");
  ASSERT_EQ(snapshot.processes().size(), 1U);
  const ProcessRow& hidden = snapshot.processes()[0];
  EXPECT_EQ(hidden.rss, 100U);
  EXPECT_EQ(hidden.swap, 3U);
  EXPECT_EQ(hidden.uss, std::nullopt);
  EXPECT_EQ(hidden.stack, std::nullopt);
  EXPECT_EQ(hidden.unexplained, std::nullopt);
}

TEST(LibrarySnapshot, HasAreasOfItsProcesses) {
  const Snapshot snapshot = open_text(kSample);
  ASSERT_EQ(snapshot.areas().size(), 2U);
  const AreaRow& text = snapshot.areas()[0];
  EXPECT_EQ(text.pid, 371U);
  EXPECT_EQ(text.process, 0U);
  EXPECT_EQ(text.start, 0x55D0C1A00000U);
  EXPECT_EQ(text.unit, "/usr/bin/cat");
  EXPECT_EQ(text.device_major, 0xFEU);
  EXPECT_EQ(text.device_minor, 1U);
  EXPECT_EQ(text.inode, 1835U);
  EXPECT_EQ(text.rss(), 2U);
  EXPECT_EQ(text.file_region, "application text");
  EXPECT_EQ(snapshot.areas()[1].permissions(), "rw-p");
  EXPECT_EQ(snapshot.areas()[1].swap, 1U);
}

TEST(LibrarySnapshot, RowsOutliveTheFirstCopy) {
  std::optional<Snapshot> copy;
  {
    const Snapshot snapshot = open_text(kSample);
    copy = snapshot;
  }
  EXPECT_EQ(copy->areas()[0].unit, "/usr/bin/cat");
}

TEST(LibrarySnapshot, LeavesAreasOutOnRequest) {
  const Snapshot snapshot = open_text(kSample, {.keeps_areas = false});
  EXPECT_TRUE(snapshot.areas().empty());
  EXPECT_EQ(snapshot.processes()[0].rss, 3U);
}

TEST(LibrarySnapshot, ReadsOnlyTheProcessesAskedFor) {
  EXPECT_EQ(open_text(kSample, {.pids = {371}}).processes().size(), 1U);
  const Snapshot none = open_text(kSample, {.pids = {9}});
  EXPECT_TRUE(none.processes().empty());
  EXPECT_FALSE(none.info().is_complete);
  ASSERT_EQ(none.notes().size(), 1U);
  EXPECT_EQ(none.notes()[0].name, "pids_not_found");
}

TEST(LibrarySnapshot, HasUnitsMappingsAndGroups) {
  const Snapshot snapshot = open_text(kSample);
  ASSERT_EQ(snapshot.units().size(), 1U);
  EXPECT_EQ(snapshot.units()[0].path, "/usr/bin/cat");
  EXPECT_EQ(snapshot.units()[0].frames, 2U);
  ASSERT_EQ(snapshot.mappings().size(), 2U);
  EXPECT_EQ(snapshot.mappings()[0].name, "/usr/bin/cat");
  EXPECT_EQ(snapshot.mappings()[1].name, "[stack]");
  ASSERT_EQ(snapshot.users().size(), 1U);
  EXPECT_EQ(snapshot.users()[0].uid, 0U);
  ASSERT_EQ(snapshot.cgroups().size(), 1U);
  EXPECT_EQ(snapshot.cgroups()[0].path, "/user.slice");
  std::uint64_t rss = 0;
  for (const RegionRow& region : snapshot.regions()) rss += region.rss;
  EXPECT_EQ(rss, 3U);
}

TEST(LibrarySnapshot, HasCountersInTheirOrder) {
  const Snapshot snapshot = open_text(kSample);
  ASSERT_EQ(snapshot.counters().size(), 5U);
  EXPECT_EQ(snapshot.counters()[1].name, "vm.pgmajfault");
  EXPECT_EQ(snapshot.counters()[1].value, 160U);
}

TEST(LibrarySnapshot, DoesNotKnowShareAndFramesWithoutPages) {
  const std::string text =
      with(with(with(with(kSample, "pages=all", "pages=none"),
                     "M: 55D0C1A00000=1A2B3000, 2, 0000086C | 55D0C1A01000=1A2B4000, 2, 0000086C "
                     "|\n",
                     ""),
                "M: 7FFD3E020000=2C0F5000, 1, 00005868 |\n", ""),
           "S: 7FFD3E01F000=0:000002A4 |\n", "");
  const Snapshot snapshot = open_text(text);
  EXPECT_EQ(snapshot.processes()[0].rss, 3U);
  EXPECT_EQ(snapshot.processes()[0].pss, std::nullopt);
  EXPECT_EQ(snapshot.info().user_pages, std::nullopt);
  EXPECT_EQ(snapshot.units()[0].frames, std::nullopt);
}

TEST(LibrarySnapshot, HasLedgerAndOwners) {
  const std::string owner = "O: 1, slab, 192, 21, dentry\n";
  const std::string runs = RamLines().add(7, "slab", 1).add(3, "anon").text();
  const Snapshot snapshot = open_text(ram_snapshot(1, owner + runs));
  ASSERT_TRUE(snapshot.info().has_ram);
  EXPECT_EQ(snapshot.info().ram_frames, 10U);
  ASSERT_EQ(snapshot.ledger().size(), 2U);
  EXPECT_EQ(snapshot.ledger()[0].name, "slab");
  EXPECT_EQ(snapshot.ledger()[0].pages, 7U);
  EXPECT_EQ(snapshot.ledger()[0].owned, 7U);
  ASSERT_EQ(snapshot.owners().size(), 1U);
  EXPECT_EQ(snapshot.owners()[0].kind, "slab");
  EXPECT_EQ(snapshot.owners()[0].name, "dentry");
  EXPECT_EQ(snapshot.owners()[0].pages, 7U);
}

TEST(LibrarySnapshot, ErrorHasFileLineAndColumn) {
  const SnapshotError error = error_of(with(kSample, "55D0C1A01FFF", "55D0C1A01FFG"));
  EXPECT_EQ(error.kind(), SnapshotError::Kind::kBadInput);
  EXPECT_THAT(error.file(), HasSubstr("s.txt"));
  EXPECT_FALSE(error.code());
  EXPECT_EQ(error.line(), 5U);
  EXPECT_EQ(error.column(), 18U);
  EXPECT_THAT(error.what(), HasSubstr("s.txt:5:18: V: "));
}

TEST(LibrarySnapshot, RejectsFilesThatAreNoSnapshot) {
  EXPECT_THAT(error_of("").what(), HasSubstr("is empty"));
  EXPECT_THAT(error_of("hello\n").what(), HasSubstr("expected a snapshot"));
  EXPECT_EQ(error_of(kSample.substr(0, kSample.size() / 2)).kind(), SnapshotError::Kind::kBadInput);
}

TEST(LibrarySnapshot, RejectsMissingFiles) {
  try {
    Snapshot::open("/missing/s.txt");
    FAIL() << "nothing was thrown";
  } catch (const SnapshotError& error) {
    EXPECT_EQ(error.kind(), SnapshotError::Kind::kIo);
    EXPECT_EQ(error.file(), "/missing/s.txt");
    EXPECT_EQ(error.line(), 0U);
    EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
  }
}

TEST(LibrarySnapshot, RejectsDirectories) {
  const TemporaryFolder folder;
  try {
    Snapshot::open(folder.name());
    FAIL() << "nothing was thrown";
  } catch (const SnapshotError& error) {
    EXPECT_EQ(error.kind(), SnapshotError::Kind::kIo);
    EXPECT_EQ(error.code(), std::errc::is_a_directory);
  }
}

TEST(LibrarySnapshot, RejectsZeroJobs) {
  EXPECT_THROW(open_text(kSample, {.jobs = 0}), std::invalid_argument);
}

TEST(LibrarySnapshot, HasNoRowsWithTasksOnly) {
  const std::string header =
      with(kHeaderLine, "pages=all, pfn=shown", "pages=none, pfn=hidden, areas=none");
  const Snapshot snapshot = open_text(
      header + "T: cat     , 7, 00000007, 0, 0, 0, 0, 0, 0, 0, 7, 1, 1, 0\nE: 1, 0, 0, 0, 0\n");
  EXPECT_FALSE(snapshot.info().has_areas);
  EXPECT_EQ(snapshot.info().processes, 1U);
  EXPECT_TRUE(snapshot.processes().empty());
  EXPECT_TRUE(snapshot.areas().empty());
}

TEST(LibrarySnapshot, LooksAtWhatFollowsIt) {
  const std::string text(kSample);
  EXPECT_FALSE(open_text(text).info().has_more);
  EXPECT_TRUE(open_text(text + text).info().has_more);
  EXPECT_EQ(error_of(text + "more\n").line(), 14U);
}

TEST(LibrarySeries, ReadsAllSnapshots) {
  const TemporaryFolder folder;
  const std::string text(kSample);
  SeriesReader series(folder.put("s.txt", text + text + text));
  int snapshots = 0;
  while (const auto snapshot = series.next()) {
    EXPECT_EQ(snapshot->processes().size(), 1U);
    ++snapshots;
  }
  EXPECT_EQ(snapshots, 3);
}

TEST(LibrarySeries, HasNoSnapshotsAfterAMove) {
  const TemporaryFolder folder;
  SeriesReader first(folder.put("s.txt", std::string(kSample)));
  SeriesReader second = std::move(first);
  EXPECT_FALSE(first.next());  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(second.next());
}

TEST(LibraryVersion, IsThatOfTheHeader) {
  EXPECT_STREQ(library_version(), PHYSMEM_VERSION_STRING);
  EXPECT_LT(PHYSMEM_MAKE_VERSION(0, 1, 0), PHYSMEM_VERSION + 1);
}

}  // namespace
}  // namespace physmem
