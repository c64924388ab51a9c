// SPDX-License-Identifier: MIT
// What one upload, and one host, may cost the others.
#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <sstream>

#include "fleet/load/folder_turns.h"
#include "fleet/load/load_run.h"
#include "fleet/load/loader.h"
#include "fleet/load/upload_limits.h"
#include "program/signals.h"
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

TEST(HostQuotasOf, AreForEachHostAndDayOfArrival) {
  Report report = unit_report("a", 0, 1, std::string(1000, 'x'));
  HostQuotas quotas(3000);
  const std::uint64_t now = kDayOne + 1000;
  EXPECT_TRUE(quotas.take(report, now));
  EXPECT_TRUE(quotas.take(report, now));
  EXPECT_FALSE(quotas.take(report, now));
  report.snapshot.machine = "b";
  EXPECT_TRUE(quotas.take(report, now));
  // The host chooses the time of a report.
  report.snapshot.time_ns -= 86400 * kSecondNs;
  EXPECT_TRUE(quotas.take(report, now));
  report.snapshot.time_ns += 10 * 86400 * kSecondNs;
  EXPECT_FALSE(quotas.take(report, now));
  EXPECT_TRUE(quotas.take(report, now + 86400));
}

TEST(HostQuotasOf, CountReportsWithoutRows) {
  Report report = unit_report("a", 0, 1, "x");
  for (auto& facts : report.facts) facts.clear();
  HostQuotas quotas(10'000);
  unsigned taken = 0;
  while (taken < 1000 && quotas.take(report, kDayOne)) ++taken;
  EXPECT_EQ(taken, 39U) << "256 bytes each";
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
  EXPECT_THAT(problems,
              HasSubstr("1.rows: found more than 0 MiB of reports that a sent today, expected "
                        "at most that; the 2 before"));
}

/// Runs a function at each message.
class MessageHook : public std::stringbuf {
 public:
  explicit MessageHook(std::function<void(const std::string&)> on_message)
      : on_message_(std::move(on_message)) {}

 private:
  int sync() override {
    on_message_(str());
    str({});
    return 0;
  }

  std::function<void(const std::string&)> on_message_;
};

/// An upload that comes while another host's 1,500 are read is read after the first thousand. Each
/// is damaged, and so has a message. Ends by exit(): the receipt of a signal is never reset.
[[noreturn]] void follow_until_second_host(const TemporaryFolder& folder, Store& store) {
  std::size_t messages = 0;
  MessageHook hook([&](const std::string& message) {
    ++messages;
    if (messages == 500) {
      std::filesystem::create_directories(folder.path("in/b"));
      folder.put("in/b/1", "damaged");
    }
    if (message.find("in/b/1") == message.npos) return;
    std::cerr << "read after " << messages - 1 << " files\n";
    ::raise(SIGTERM);
  });
  std::ostream stream(&hook);
  catch_signals();
  LoadSettings settings{.paths = {folder.path("in")}, .reports = {}, .follows = true};
  settings.reports.is_by_folder = true;
  const auto is_incomplete = load(store, settings, stream, "p");
  std::exit(is_incomplete && *is_incomplete ? 0 : 1);
}

TEST_F(UploadTest, ThatComesWhileOthersAreReadIsNotKeptWaiting) {
  std::filesystem::create_directories(folder_.path("in/a"));
  for (int i = 0; i < 1500; ++i) folder_.put("in/a/" + std::to_string(i), "damaged");
  EXPECT_EXIT(follow_until_second_host(folder_, *store_), testing::ExitedWithCode(0),
              "read after 100[01] files");
}

}  // namespace
}  // namespace physmem::fleet
