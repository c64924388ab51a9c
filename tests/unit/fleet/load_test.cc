// SPDX-License-Identifier: MIT
// Files → reports → store, and the options of the program.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <sstream>

#include "analyzer/parse/open_source.h"
#include "analyzer/shape/view.h"
#include "fleet/load/file_watch.h"
#include "fleet/load/follow_log.h"
#include "fleet/load/load_run.h"
#include "fleet/load/loader.h"
#include "fleet/load/stored_files.h"
#include "fleet/model/limits.h"
#include "fleet/model/wall_clock.h"
#include "fleet/parse_options.h"
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
    Archive archive(folder_.path("kept"));
    Loader loader(*store_, settings_, replaces, keeps_ ? &archive : nullptr,
                  [this](const std::string& problem) { problems_ += problem + "\n"; });
    for (const std::string& file : files) EXPECT_TRUE(loader.add(SnapshotFile{file}));
    EXPECT_TRUE(loader.finish());
    return loader.loaded();
  }

  /// Files below the archive, sorted, a blank after each.
  std::string kept() const {
    std::set<std::string> files;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder_.path("kept")))
      if (file.is_regular_file())
        files.insert(std::filesystem::relative(file.path(), folder_.path("kept")));
    std::string text;
    for (const std::string& file : files) text += file + " ";
    return text;
  }

  ReportSettings settings_;
  bool keeps_ = false;  ///< in the folder `kept`
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

TEST_F(LoaderTest, AHostReportsForItsFolderOnly) {
  settings_.is_by_folder = true;
  Report report = reports_of(sample_at(0, ", host=victim")).reports.at(0);
  const auto load_from = [&](const std::string& folder, const std::string& archive) {
    report.snapshot.key[0] = report.snapshot.key[0] == 'a' ? 'b' : 'a';
    report.snapshot.archive = archive;
    std::filesystem::create_directories(folder_.path(folder));
    const std::string file = folder_.put(folder + "/r", std::string(kRowsMagic) + text_of(report));
    Loader loader(*store_, settings_, false, nullptr, [](const std::string&) {});
    EXPECT_TRUE(*loader.add(SnapshotFile{file, folder_.path("").size()}));
    EXPECT_TRUE(loader.finish());
  };
  load_from("victim", "2026-11-21/victim/20261121T000000Z-00.pmc.zst");
  load_from("evil", "2026-11-21/victim/20261121T000000Z-00.pmc.zst");
  EXPECT_THAT(rows(Question::kMachines), HasSubstr("name:evil evil 1 "));
  EXPECT_THAT(rows(Question::kMachines), HasSubstr("name:victim victim 1 "));
  EXPECT_EQ(rows(Question::kKept),
            "name:victim 1795219200000000000 2026-11-21/victim/20261121T000000Z-00.pmc.zst 0\n");
  load_from("evil", "../victim/x");
  EXPECT_EQ(load({folder_.path("evil/r")}).damaged_files, 1U);
  EXPECT_THAT(problems_, HasSubstr("is in no folder of a host"));
}

TEST(LoadRun, RemovesWhatTheStoreHasAndNothingElse) {
  const TemporaryFolder folder;
  const std::string good = folder.put("good", sample_at(0));
  const std::string damaged = folder.put("damaged", sample_at(5) + sample_at(9).substr(0, 700));
  auto store = open_store("sqlite:" + folder.path("fleet.db"), StoreAccess::kCreate);
  ASSERT_TRUE((*store)->create());
  std::ostringstream messages;
  LoadSettings settings{.paths = {good, damaged}, .reports = {}};
  EXPECT_TRUE(*load(**store, settings, messages, "p"));
  EXPECT_TRUE(std::filesystem::exists(good));
  settings.removes = true;
  EXPECT_TRUE(*load(**store, settings, messages, "p"));
  EXPECT_FALSE(std::filesystem::exists(good));
  EXPECT_TRUE(std::filesystem::exists(damaged));
}

TEST(LoadRun, KeepsFilesWithReportsThatTheStoreLeavesOut) {
  const TemporaryFolder folder;
  const std::string mixed = folder.put("mixed", sample_at(0, ", host=h") + sample_at(86400));
  const std::string good = folder.put("good", sample_at(86405));
  const std::string far = folder.put("far", sample_at(0xffffffff - kDayOne + 1));
  auto store = open_store("sqlite:" + folder.path("fleet.db"), StoreAccess::kCreate);
  ASSERT_TRUE((*store)->create());
  ASSERT_TRUE((*store)->expire(kDayOne + 86400));
  std::ostringstream messages;
  const LoadSettings settings{.paths = {mixed, good, far}, .reports = {}, .removes = true};
  EXPECT_TRUE(*load(**store, settings, messages, "p"));
  EXPECT_TRUE(std::filesystem::exists(mixed));
  EXPECT_FALSE(std::filesystem::exists(good));
  EXPECT_TRUE(std::filesystem::exists(far));
  EXPECT_THAT(messages.str(),
              HasSubstr("mixed: found 1 snapshot of h at 2026-11-21T00:00:00Z, a time of which the "
                        "store has only sums of days; left out, and the file stays\n"));
  EXPECT_THAT(messages.str(), HasSubstr("2 snapshots added, 0 known before"));
}

TEST(StoredFilesOf, KeepAFileThatWasReplaced) {
  const TemporaryFolder folder;
  const std::string file = folder.put("a", "old");
  StoredFiles stored;
  stored.begin(file);
  stored.end(file);
  std::filesystem::rename(folder.put("b", "newer"), file);
  EXPECT_EQ(stored.remove(), "");
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST_F(LoaderTest, KeepsEachSnapshotOfASeriesInTheArchive) {
  const std::string first = sample_at(0, ", host=h"), second = sample_at(86405, ", host=h");
  const std::string series = folder_.put("s.txt", first + second);
  const Reading reading = reports_of(first + second);
  EXPECT_EQ(load({series}).added, 2U);
  keeps_ = true;
  EXPECT_EQ(load({series}).known, 2U) << problems_;
  const std::string place = "2026-11-22/h/20261122T000005Z-" +
                            reading.reports.at(1).snapshot.key.substr(0, 16) + ".pmc.zst";
  EXPECT_THAT(kept(), HasSubstr("2026-11-21/h/20261121T000000Z-"));
  EXPECT_THAT(kept(), HasSubstr(place));
  EXPECT_EQ(rows(Question::kLastKept), "name:h 1795305605000000000 " + place + "\n");
  const auto source = open_source(folder_.path("kept/" + place));
  OpenAlerts alerts;
  EXPECT_EQ(reports_of(**source, alerts).reports.at(0).snapshot.key,
            reading.reports.at(1).snapshot.key);
}

TEST_F(LoaderTest, KeepsASnapshotOnce) {
  keeps_ = true;
  const std::string file = folder_.put("a.txt", sample_at(0, ", host=h"));
  EXPECT_EQ(load({file}).added, 1U) << problems_;
  const std::string before = kept();
  const std::string in_archive = folder_.path("kept/" + before.substr(0, before.size() - 1));
  EXPECT_EQ(load({file, in_archive}).known, 2U);
  EXPECT_EQ(kept(), before);
  // An upload has the name of its certificate.
  const std::string uploaded = with(in_archive, "/h/", "/cert/");
  std::filesystem::create_directories(std::filesystem::path(uploaded).parent_path());
  std::filesystem::rename(in_archive, uploaded);
  EXPECT_EQ(load({uploaded}).known, 1U);
  EXPECT_THAT(rows(Question::kKept), HasSubstr(" 2026-11-21/cert/"));
  EXPECT_EQ(kept(), with(before, "/h/", "/cert/"));
}

TEST_F(LoaderTest, KeepsNoReportsAndNoDamagedSnapshots) {
  keeps_ = true;
  const std::string cut = folder_.put("cut", sample_at(0) + sample_at(9).substr(0, 700));
  const Report report = reports_of(sample_at(5)).reports.at(0);
  const std::string rows_file = folder_.put("rows", std::string(kRowsMagic) + text_of(report));
  EXPECT_EQ(load({cut, rows_file}).damaged_files, 2U);
  EXPECT_THAT(problems_, HasSubstr("has reports, expected snapshots"));
  EXPECT_EQ(std::count(problems_.begin(), problems_.end(), '\n'), 2);
  const std::string files = kept();
  EXPECT_EQ(std::count(files.begin(), files.end(), ' '), 1) << files;
}

TEST_F(LoaderTest, KeepsHostsWithSlashesInsideTheArchive) {
  keeps_ = true;
  for (const char* const host : {"../../x", "..", ".h", "a/b"}) {
    const std::string text = sample_at(0, std::string(", host=") + host);
    EXPECT_EQ(load({folder_.put("a", text)}).damaged_files, 0U) << problems_;
  }
  const std::string files = kept();
  EXPECT_EQ(std::count(files.begin(), files.end(), ' '), 4) << files;
  EXPECT_THAT(files, HasSubstr("2026-11-21/_..\\057..\\057x/"));
}

TEST_F(LoaderTest, RemovesOldSnapshotsFromTheArchiveAndNothingElse) {
  keeps_ = true;
  load({folder_.put("s", sample_at(0, ", host=h") + sample_at(86405, ", host=h"))});
  folder_.put("kept/notes.txt", "mine");
  folder_.put("kept/2026-11-21/h/1.pmc", "a name that the receiver does not give");
  std::filesystem::create_directories(folder_.path("kept/2026-11-20/h"));
  std::filesystem::create_directories(folder_.path("kept/photos"));
  std::filesystem::create_directories(folder_.path("kept/empty"));
  folder_.put("kept/photos/20261121T000000Z-00.pmc.zst", "mine");
  EXPECT_EQ(*Archive(folder_.path("kept")).expire(kDayOne + 86400), 2U);
  EXPECT_THAT(kept(), testing::StartsWith("2026-11-22/h/20261122T000005Z-"));
  EXPECT_THAT(kept(), HasSubstr("notes.txt "));
  EXPECT_THAT(kept(), HasSubstr("photos/"));
  EXPECT_TRUE(std::filesystem::exists(folder_.path("kept/empty")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("kept/2026-11-20")));
  EXPECT_TRUE(store_->forget_kept(kDayOne + 86400));
  EXPECT_THAT(rows(Question::kKept), testing::StartsWith("name:h 1795305605000000000 2026-11-22"));
}

TEST_F(LoaderTest, RemovesWhatArrivedLongAgoWhateverItsTimesAre) {
  // The clock of this host is ahead, or it lies: the date of an upload becomes its mtime.
  std::filesystem::create_directories(folder_.path("kept/9999-99-99/h"));
  const std::string late = folder_.put("kept/9999-99-99/h/20990101T000000Z-00.pmc.zst", "");
  constexpr std::uint64_t kYear = 366 * std::uint64_t{86400};
  const auto now = std::chrono::system_clock::now();
  std::filesystem::last_write_time(
      late, std::chrono::file_clock::from_sys(now + std::chrono::seconds(50 * kYear)));
  Archive archive(folder_.path("kept"));
  const auto second = static_cast<std::uint64_t>(std::chrono::system_clock::to_time_t(now));
  EXPECT_EQ(*archive.expire(second - kYear), 0U);
  EXPECT_EQ(*archive.expire(second + kYear), 1U);
  EXPECT_EQ(kept(), "");
}

TEST_F(LoaderTest, RefusesAClockThatIsMoreThanADayAhead) {
  const std::uint64_t now = seconds_now() - kDayOne;
  const Loaded loaded = load({folder_.put(
      "s", sample_at(0) + sample_at(now + kMaxAhead + 600) + sample_at(now + kMaxAhead - 600))});
  EXPECT_EQ(loaded.added, 2U);
  EXPECT_EQ(loaded.damaged_files, 1U);
  const auto time = [&](std::uint64_t second) { return utc_text((kDayOne + second) * kSecondNs); };
  EXPECT_THAT(problems_, HasSubstr("s: found a snapshot of s at " + time(now + kMaxAhead + 600) +
                                   ", expected a time up to "));
  EXPECT_THAT(problems_, HasSubstr("; left out"));
}

TEST(FollowLogOf, HasALineInTenMinutesIfSomethingWasLoaded) {
  FollowLog log;
  constexpr std::uint64_t kMinute = 60 * kSecondNs;
  const auto line = [&](std::uint64_t added, std::uint64_t minute) {
    const Loaded loaded{.added = added, .known = 1, .latest_ns = kDayOne * kSecondNs};
    return log.line(loaded, kMinute * (100 + minute)).value_or("");
  };
  EXPECT_EQ(log.line({}, kMinute), std::nullopt);
  EXPECT_EQ(line(3, 0),
            "3 more snapshots added, 1 known before; the latest is of 2026-11-21T00:00:00Z");
  EXPECT_EQ(line(5, 9), "");
  EXPECT_THAT(line(6, 10), HasSubstr("3 more snapshots added, 0 known before"));
  EXPECT_EQ(line(6, 60), "");
  EXPECT_THAT(line(7, 61), HasSubstr("1 more snapshot added"));
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
  EXPECT_THAT(usage_of({"load", "a.db", "-", "b"}), HasSubstr("found - with other paths"));
  EXPECT_THAT(usage_of({"load", "--follow", "a.db", "-"}), HasSubstr("found - with --follow"));
  EXPECT_THAT(usage_of({"ask", "a.db"}), HasSubstr("expected units, hosts"));
  EXPECT_THAT(usage_of({"ask", "units"}),
              HasSubstr("found no STORE, expected sqlite:FILE, FILE.db or clickhouse+http://HOST"));
  EXPECT_THAT(usage_of({"ask", "changes", "a.db"}), HasSubstr("expected --since with it"));
  EXPECT_THAT(usage_of({"ask", "gaps", "a.db", "-o", "x.svg"}), HasSubstr("a chart of units"));
  EXPECT_THAT(usage_of({"ask", "units", "a.db", "-o", "x.csv.zst"}),
              HasSubstr("answers are not compressed"));
  EXPECT_THAT(usage_of({"ask", "units", "a.db", "b.db"}), HasSubstr("expected nothing more"));
  EXPECT_THAT(usage_of({"load", "--top", "3", "a.db", "x"}), HasSubstr("--top: has no effect"));
  EXPECT_THAT(usage_of({"ask", "units", "--since", "soon", "a.db"}), HasSubstr("--since: found"));
  EXPECT_THAT(usage_of({"expire", "a.db"}), HasSubstr("--before"));
  EXPECT_THAT(usage_of({"archive", "a.db", "x"}), HasSubstr("--archive"));
  EXPECT_THAT(usage_of({"archive", "--archive", "k", "a.db"}), HasSubstr("found no SNAPSHOT"));
  EXPECT_THAT(usage_of({"archive", "--archive", "k", "a.db", "-"}), HasSubstr("expected files"));
  EXPECT_THAT(usage_of({"load", "--archive", "k", "a.db", "x"}), HasSubstr("has no effect"));
  EXPECT_THAT(usage_of({"ask", "hosts", "--file", "x", "a.db"}),
              HasSubstr("--file: has no effect with ask hosts"));
  EXPECT_THAT(usage_of({"ask", "units", "--archive", "x", "a.db"}),
              HasSubstr("--archive: has no effect with ask units"));
  EXPECT_THAT(usage_of({"ask", "units", "--full", "a.db"}), HasSubstr("--full: has no effect"));
  EXPECT_THAT(usage_of({"ask", "units", "--spreadsheet", "a.db"}),
              HasSubstr("expected --format csv"));
  EXPECT_EQ(usage_of({"ask", "units", "--spreadsheet", "a.db", "-o", "x.csv"}), "");
  EXPECT_THAT(usage_of({"rollup", "--archive", "k", "a.db"}), HasSubstr("has no effect"));
  EXPECT_EQ(usage_of({"rows"}), "");
  EXPECT_EQ(usage_of({"ask", "units", "a.db", "--since", "7d", "--host", "web*"}), "");
}

}  // namespace
}  // namespace physmem::fleet
