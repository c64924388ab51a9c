// SPDX-License-Identifier: MIT
// What one upload, and one host, may cost the others.
#include <gmock/gmock.h>

#include <filesystem>

#include "fleet/load/folder_turns.h"
#include "fleet/load/loader.h"
#include "fleet/load/upload_limits.h"
#include "tests/unit/fleet/fleet_reports.h"

namespace physmem::fleet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> turns_of(const FolderTurns& turns, const std::vector<std::string>& paths) {
  std::vector<SnapshotFile> files;
  for (const std::string& path : paths) files.push_back({"in/" + path, 3});
  std::vector<std::string> ordered;
  for (const SnapshotFile& file : turns.in_turns(files)) ordered.push_back(file.path.substr(3));
  return ordered;
}

TEST(FolderTurnsOf, TakeAFileOfEachFolderInEachRound) {
  FolderTurns turns;
  EXPECT_THAT(turns_of(turns, {"a/1", "a/2", "a/3", "b/1", "c/1", "c/2"}),
              ElementsAre("a/1", "b/1", "c/1", "a/2", "c/2", "a/3"));
}

TEST(FolderTurnsOf, BeginAfterTheFolderThatWasServedLast) {
  FolderTurns turns;
  turns.take({"in/a/1", 3});
  EXPECT_THAT(turns_of(turns, {"a/2", "a/3", "b/1", "c/1"}),
              ElementsAre("b/1", "c/1", "a/2", "a/3"));
  turns.take({"in/c/1", 3});
  EXPECT_THAT(turns_of(turns, {"a/2", "b/2", "c/2"}), ElementsAre("a/2", "b/2", "c/2"));
}

TEST(LimitedSourceOf, EndsAnUploadThatIsLargerThanItMayBe) {
  const auto read_of = [](std::uint64_t max) {
    LimitedSource source(text_source("0123456789"), "in/a/1", max);
    std::array<char, 4> to{};
    std::size_t bytes = 0;
    while (true) {
      const auto n = source.read(to.data(), to.size());
      if (!n) return n.error().text;
      if (*n == 0) return std::to_string(bytes);
      bytes += *n;
    }
  };
  EXPECT_EQ(read_of(10), "10");
  EXPECT_THAT(read_of(9), HasSubstr("in/a/1: found more than 0 MiB when it is decompressed"));
  // 90 kB of 1 GB, and 256 MB of any size.
  EXPECT_LT(max_decoded(90'000), 160u << 20);
  EXPECT_EQ(max_decoded(256'000'000), std::uint64_t{4} << 30);
  EXPECT_EQ(max_decoded(~std::uint64_t{0}), std::uint64_t{4} << 30);
}

TEST(HostQuotasOf, AreForEachHostAndDay) {
  Report report = unit_report("a", 0, 1, std::string(1000, 'x'));
  HostQuotas quotas(2500);
  const std::uint64_t now = kDayOne + 1000;
  EXPECT_TRUE(quotas.take(report, now));
  EXPECT_TRUE(quotas.take(report, now));
  EXPECT_FALSE(quotas.take(report, now));
  report.snapshot.machine = "b";
  EXPECT_TRUE(quotas.take(report, now));
  report.snapshot.time_ns -= 86400 * kSecondNs;
  EXPECT_TRUE(quotas.take(report, now));
  // Days to come are one.
  for (const unsigned days : {10U, 20U}) {
    report.snapshot.time_ns = (kDayOne + days * std::uint64_t{86400}) * kSecondNs;
    EXPECT_TRUE(quotas.take(report, now));
  }
  report.snapshot.time_ns += 86400 * kSecondNs;
  EXPECT_FALSE(quotas.take(report, now));
}

class UploadTest : public StoreTest {};

TEST_F(UploadTest, OfAHostAboveItsQuotaIsLeftOut) {
  std::string rows(kRowsMagic);
  for (std::uint64_t i = 0; i < 3; ++i)
    rows += text_of(unit_report("m", i, 1, std::string(16'000, 'u')));
  std::filesystem::create_directories(folder_.path("in/a"));
  const std::string file = folder_.put("in/a/1.rows", rows);
  ReportSettings settings;
  settings.is_by_folder = true;
  settings.max_day_bytes = 40'000;
  std::string problems;
  Loader loader(*store_, settings, false, nullptr,
                [&](const std::string& problem) { problems += problem + "\n"; });
  const auto is_whole = loader.add(SnapshotFile{file, folder_.path("in/").size()});
  ASSERT_TRUE(is_whole);
  EXPECT_FALSE(*is_whole);
  ASSERT_TRUE(loader.finish());
  EXPECT_EQ(loader.loaded().added, 2u);
  EXPECT_THAT(problems, HasSubstr("1.rows: found more than 0 MiB of reports of a for the day of "
                                  "2026-11-21T00:00:02Z, expected at most that; the 2 before"));
}

}  // namespace
}  // namespace physmem::fleet
