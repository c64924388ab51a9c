// SPDX-License-Identifier: MIT
// Files → reports → store, and the options of the program.
#include <gmock/gmock.h>

#include <filesystem>

#include "fleet/load/file_watch.h"
#include "fleet/load/loader.h"
#include "fleet/options.h"
#include "tests/unit/command_words.h"
#include "tests/unit/fleet/fleet_reports.h"

namespace physmem::fleet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class LoaderTest : public StoreTest {
 protected:
  Loaded load(const std::vector<std::string>& files, bool replaces = false) {
    problems_.clear();
    Loader loader(*store_, settings_, replaces,
                  [this](const std::string& problem) { problems_ += problem + "\n"; });
    for (const std::string& file : files) EXPECT_TRUE(loader.add(SnapshotFile{file}));
    EXPECT_TRUE(loader.finish());
    return loader.loaded();
  }

  ReportSettings settings_;
  std::string problems_;
};

TEST_F(LoaderTest, SkipsWhatTheStoreHas) {
  const std::string snapshots = folder_.put("s.txt", sample_at(0) + sample_at(5));
  EXPECT_EQ(load({snapshots, snapshots}).added, 2U);
  EXPECT_EQ(load({snapshots}).known, 2U);
  EXPECT_EQ(load({snapshots}, true).added, 2U);
  EXPECT_THAT(rows(Question::kMachines), HasSubstr("name:s s 2 "));
}

TEST_F(LoaderTest, ReadsReportsAndSnapshotsByContent) {
  const Report report = reports_of(sample_at(0, ", host=h")).reports.at(0);
  const std::string rows_file = folder_.put("a", std::string(kRowsMagic) + text_of(report));
  EXPECT_EQ(load({rows_file}).added, 1U);
  EXPECT_EQ(load({folder_.put("b", sample_at(0, ", host=h"))}).known, 1U) << problems_;
}

TEST_F(LoaderTest, ReportsDamagedFilesAndGoesOn) {
  const std::string good = folder_.put("good", sample_at(0));
  const std::string cut = folder_.put("cut", sample_at(5) + sample_at(9).substr(0, 700));
  const std::string old = folder_.put("old", kVersion1);
  const Loaded loaded = load({cut, old, folder_.path("none"), good});
  EXPECT_EQ(loaded.added, 2U);
  EXPECT_EQ(loaded.damaged_files, 3U);
  EXPECT_THAT(problems_, HasSubstr("cut short; the 1 before that is kept"));
  EXPECT_THAT(problems_, HasSubstr("has no time"));
}

TEST_F(LoaderTest, LeavesOutWhatIsOlderThanTheFacts) {
  ASSERT_TRUE(store_->expire(kDayOne + 86400));
  EXPECT_EQ(load({folder_.put("s", sample_at(0) + sample_at(86400))}).expired, 1U);
  EXPECT_THAT(rows(Question::kMachines), HasSubstr("name:s s 1 "));
}

TEST(FileWatchOf, FindsNewAndChangedFiles) {
  const TemporaryFolder folder;
  FileWatch watch({folder.name()});
  const auto names = [&] {
    std::vector<std::string> found;
    const auto scan = watch.scan();
    for (const SnapshotFile& file : scan->files)
      found.push_back(std::filesystem::path(file.path).filename());
    return found;
  };
  folder.put("a", "1");
  folder.put("b.tmp", "1");
  EXPECT_THAT(names(), ElementsAre("a"));
  EXPECT_THAT(names(), IsEmpty());
  folder.put("a", "22");
  folder.put("c", "1");
  EXPECT_THAT(names(), ElementsAre("a", "c"));
}

std::optional<std::uint64_t> time_of(const std::string& text) {
  const auto time = parse_time(text);
  return time ? std::optional(time->at(kDayOne)) : std::nullopt;
}

TEST(ParseTime, TakesDatesAndDurations) {
  EXPECT_EQ(time_of("2026-11-21"), kDayOne);
  EXPECT_EQ(time_of("2026-11-21T10"), kDayOne + 36000);
  EXPECT_EQ(time_of("2026-11-21T10:30"), kDayOne + 37800);
  EXPECT_EQ(time_of("2026-11-21T10:30:05Z"), kDayOne + 37805);
  EXPECT_EQ(time_of("7d"), kDayOne - 7 * 86400);
  EXPECT_EQ(time_of("90s"), kDayOne - 90);
  for (const char* const wrong :
       {"", "x", "7", "-7d", "2026-13-01", "2026-11-31", "2026-11-21T", "2026-11-21T24",
        "2026-11-21 10:00", "2026-11-21T10:00:00ZZ", "99999999999d", "0.5d", "1969-01-01"})
    EXPECT_FALSE(time_of(wrong)) << wrong;
}

std::string usage_of(std::vector<std::string> words) {
  const auto options = CommandWords("physmem-fleet", std::move(words)).given_to(parse_options);
  return options ? "" : options.error().text;
}

TEST(FleetOptions, NameWhatIsMissingOrTooMuch) {
  EXPECT_THAT(usage_of({}), HasSubstr("found no verb"));
  EXPECT_THAT(usage_of({"lod"}), HasSubstr("found \"lod\", expected rows"));
  EXPECT_THAT(usage_of({"load", "a.db"}), HasSubstr("found no PATH"));
  EXPECT_THAT(usage_of({"ask", "a.db"}), HasSubstr("expected units, hosts"));
  EXPECT_THAT(usage_of({"ask", "units"}), HasSubstr("found no STORE"));
  EXPECT_THAT(usage_of({"ask", "changes", "a.db"}), HasSubstr("expected --since with it"));
  EXPECT_THAT(usage_of({"ask", "hosts", "a.db", "-o", "x.svg"}), HasSubstr("a picture of units"));
  EXPECT_THAT(usage_of({"ask", "units", "a.db", "b.db"}), HasSubstr("expected nothing more"));
  EXPECT_THAT(usage_of({"load", "--top", "3", "a.db", "x"}), HasSubstr("--top: has no effect"));
  EXPECT_THAT(usage_of({"ask", "units", "--since", "soon", "a.db"}), HasSubstr("--since: found"));
  EXPECT_THAT(usage_of({"expire", "a.db"}), HasSubstr("--before"));
  EXPECT_EQ(usage_of({"rows"}), "");
  EXPECT_EQ(usage_of({"ask", "units", "a.db", "--since", "7d", "--host", "web*"}), "");
}

}  // namespace
}  // namespace physmem::fleet
