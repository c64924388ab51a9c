// SPDX-License-Identifier: MIT
// One answer over many snapshots: the command from its arguments to its output.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/unit/cli/command_run.h"
#include "tests/unit/maps_snapshot.h"
#include "tests/unit/ram_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// kSample of another machine, `second` seconds after 2025-11-21T00:00:00Z.
std::string sample(const std::string& host, int second) {
  std::string text(kSample);
  text = with(text, "time_ns=1763683200", "time_ns=" + std::to_string(1763683200 + second));
  return with(text, "pfn=shown", "pfn=shown, host=" + host);
}

class FleetTest : public CommandRun {
 protected:
  std::string put(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    return write(name, text);
  }
  /// Three snapshots: two hosts, two times.
  void put_fleet() const {
    put("d/1", sample("b", 0));
    put("d/2", sample("a", 0) + sample("a", 5));
  }
  Exit run_fleet(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {path("d"), "-o", path("out")});
    return command(arguments);
  }
};

TEST_F(FleetTest, PutsHostAndTimeBeforeTheColumnsOfTotals) {
  put_fleet();
  EXPECT_EQ(run_fleet({"--totals"}), Exit::kDone);
  EXPECT_EQ(content("out"),
            "Host,Time,Unit,.bss,.data,.text,Total\n"
            "b,2025-11-21T00:00:00Z,/usr/bin/cat,0,0,2,2\n"
            "a,2025-11-21T00:00:00Z,/usr/bin/cat,0,0,2,2\n"
            "a,2025-11-21T00:00:05Z,/usr/bin/cat,0,0,2,2\n");
  EXPECT_EQ(messages_, "");
}

TEST_F(FleetTest, AddsSnapshotAndPageSizeColumnsWithFull) {
  put_fleet();
  EXPECT_EQ(run_fleet({"--totals", "--count", "--full", "--csv"}), Exit::kDone);
  const std::string out = content("out");
  EXPECT_THAT(out, StartsWith("Host,Time,Snapshot,Page size B,Unit,.bss"));
  EXPECT_THAT(out, HasSubstr("\na,2025-11-21T00:00:05Z," + path("d/2") + "#2,4096,/usr/bin/cat,"));
  EXPECT_THAT(content("out-count.csv"),
              StartsWith("Host,Time,Snapshot,User space pages,Page size B\n"))
      << "a table that already has a page size column gets no second one";
}

TEST_F(FleetTest, AddsAlertCountsToTotalsAndListsAlerts) {
  put("d/1", with(sample("a", 0), "55D0C1A01000=1A2B4000, 2", "55D0C1A01000=1A2B4000, 1"));
  EXPECT_EQ(run_fleet({"--totals", "--alerts", "--csv"}), Exit::kBadInput)
      << "P: states two shared pages";
  put("d/1", with(with(sample("a", 0), "55D0C1A01000=1A2B4000, 2", "55D0C1A01000=1A2B4000, 1"),
                  "P: 2, 0, 2, 0, 2, 0", "P: 2, 0, 2, 1, 1, 0"));
  EXPECT_EQ(run_fleet({"--totals", "--alerts", "--csv"}), Exit::kDone) << messages_;
  EXPECT_EQ(content("out"),
            "Host,Time,Unit,.bss,.data,.text,Total,Alerts\n"
            "a,2025-11-21T00:00:00Z,/usr/bin/cat,0,0,2,2,1\n");
  EXPECT_EQ(content("out-alerts.csv"),
            "Host,Time,Rule,Process,PID,Unit,Start,Flags,Single,Shared,Private text,DT_TEXTREL\n"
            "a,2025-11-21T00:00:00Z,single-and-shared,cat,371,/usr/bin/"
            "cat,0X55D0C1A00000,0X00001001,1,1,,\n");
  EXPECT_EQ(messages_, "physmem-analyze: the table alerts is in " + path("out-alerts.csv") + "\n");
  EXPECT_EQ(run_fleet({"--fail-on-alert"}), Exit::kDone)
      << "the exact rule applies and finds no alert";
}

TEST_F(FleetTest, PrintsDigestByDefault) {
  put_fleet();
  EXPECT_EQ(run_fleet({}), Exit::kDone);
  EXPECT_EQ(
      content("out"),
      "Physical memory of executable units in 3 snapshots of 2 hosts, 2025-11-21T00:00:00Z to "
      "2025-11-21T00:00:05Z (MiB)\n"
      "File          Hosts  Snapshots   Min  Mean   Max  Max on  Fleet  First                 "
      "Last                  Alerts\n"
      "/usr/bin/cat      2          3  0.01  0.01  0.01  a        0.02  "
      "2025-11-21T00:00:00Z  "
      "2025-11-21T00:00:05Z       0\n");
}

TEST_F(FleetTest, WritesOneJsonDocument) {
  put_fleet();
  EXPECT_EQ(run_fleet({"--summary", "--basic", "--totals", "--alerts", "--count", "--json"}),
            Exit::kDone);
  const auto json = nlohmann::json::parse(content("out"));
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["fleet"], nlohmann::json::array({path("d")}));
  EXPECT_EQ(json[0]["snapshots"], 3);
  EXPECT_EQ(json[0]["missing"], nlohmann::json::array());
  std::vector<std::string> reports;
  for (const auto& report : json[0]["reports"]) reports.push_back(report["report"]);
  EXPECT_EQ(reports, (std::vector<std::string>{"basic", "totals", "alerts", "count", "fleet"}));
  EXPECT_EQ(json[0]["reports"][0]["rows"].size(), 6u) << "two processes, three times";
  EXPECT_EQ(json[0]["reports"][4]["rows"][0]["hosts"], 2);
}

TEST_F(FleetTest, AcceptsNamedFiles) {
  const std::string a = put("a.txt", kSample);
  const std::string b = put("b.txt", kSample);
  EXPECT_EQ(command({"--fleet", "--count", "--csv", b, a, "-o", path("out")}), Exit::kDone);
  EXPECT_EQ(content("out"),
            "Host,Time,User space pages,Page size B\n"
            "b,2025-11-21T00:00:00Z,3,4096\na,2025-11-21T00:00:00Z,3,4096\n");
}

TEST_F(FleetTest, SkipsFilesThatAreNotSnapshotsAndReportsThemInOrder) {
  put_fleet();
  const std::string readme = put("d/0-README", "hello\n");
  const std::string empty = put("d/3-empty", "");
  const std::string cut = put("d/4", sample("c", 1) + std::string(kSample).substr(0, 700));
  for (const char* jobs : {"1", "5"}) {
    EXPECT_EQ(run_fleet({"--count", "--csv", "--jobs", jobs}), Exit::kDataMissing);
    EXPECT_EQ(content("out"),
              "Host,Time,User space pages,Page size B\n"
              "b,2025-11-21T00:00:00Z,3,4096\na,2025-11-21T00:00:00Z,3,4096\n"
              "a,2025-11-21T00:00:05Z,3,4096\nc,2025-11-21T00:00:01Z,3,4096\n");
    const std::string program = "physmem-analyze: ";
    EXPECT_EQ(messages_, program + readme +
                             ":1:1: found \"hello\", expected a snapshot, which begins with H: "
                             "(version 2) or T: (version "
                             "1); left out\n" +
                             program + empty + ": is empty, expected a snapshot; left out\n" +
                             program + cut +
                             ":21:36: the file ends within a line: it was cut short; 1 snapshot "
                             "before that stay in the "
                             "answer\n" +
                             program + "3 inputs are missing or incomplete in the answer\n");
  }
}

TEST_F(FleetTest, EscapesControlCharactersOfFileNamesInMessages) {
  put_fleet();
  put("d/9\033[31m\nx", "hello\n");
  EXPECT_EQ(run_fleet({"--count", "--csv"}), Exit::kDataMissing);
  EXPECT_NE(messages_.find("/d/9\\033[31m\\012x:1:1: found"), std::string::npos) << messages_;
  EXPECT_EQ(messages_.find('\033'), std::string::npos);
}

TEST_F(FleetTest, KeepsGoingWithinAFile) {
  put("d/1", with(sample("a", 0), "S: 7FFD", "S: 7FFX"));
  put("d/2", sample("b", 0));
  EXPECT_EQ(run_fleet({"--count", "--keep-going", "--csv"}), Exit::kDataMissing);
  EXPECT_THAT(content("out"), HasSubstr("\na,2025-11-21T00:00:00Z,3,4096\nb,"));
  EXPECT_THAT(messages_, HasSubstr(path("d/1") + ": 1 line dropped, the first because of " +
                                   path("d/1") + ":11:"));
}

TEST_F(FleetTest, SumsMissingDataOverSnapshots) {
  for (int i = 1; i <= 3; ++i)
    put("d/" + std::to_string(i),
        with(sample("a", i), "vm.pgfault=1203344", "note.task_exited=" + std::to_string(i)));
  put("d/4", with(sample("b", 0), "count=mapcount", "count=average"));
  EXPECT_EQ(run_fleet({"--count", "--json"}), Exit::kDataMissing);
  EXPECT_EQ(messages_,
            "physmem-analyze: 1 of 4 snapshots: use counts are averages over large folios "
            "(count=average): this "
            "kernel keeps no others; --counts=joined counts mappings\n"
            "physmem-analyze: 4 snapshots together: 6 tasks ended while being collected\n");
  EXPECT_EQ(nlohmann::json::parse(content("out"))[0]["missing"].size(), 2u);
}

TEST_F(FleetTest, ReportsDifferentPageSizes) {
  put("d/1", sample("a", 0));
  put("d/2",
      "H: 2, page_size=65536, flags=kpf, count=mapcount, phys_mask=FFFFFFFF0000, hz=100\nE: 0, 0, "
      "0, 0, 0\n");
  EXPECT_EQ(run_fleet({"--totals"}), Exit::kDone);
  EXPECT_EQ(messages_,
            "physmem-analyze: page sizes differ (4096, 65536 bytes): counts are in pages of each "
            "snapshot; see --full\n");
  EXPECT_EQ(run_fleet({"--totals", "--full"}), Exit::kDone);
  EXPECT_EQ(messages_, "");
}

TEST_F(FleetTest, FailsWithoutOutputIfNoSnapshotIsFound) {
  put("d/1", "hello\n");
  EXPECT_EQ(run_fleet({}), Exit::kBadInput);
  EXPECT_THAT(messages_, HasSubstr("physmem-analyze: no snapshot in 1 file\n"));
  EXPECT_FALSE(exists("out"));
  std::filesystem::remove(path("d/1"));
  EXPECT_EQ(run_fleet({}), Exit::kBadInput);
  EXPECT_EQ(messages_,
            "physmem-analyze: " + path("d") +
                ": found no file, expected snapshots (hidden and temporary files do not count)\n");
}

TEST_F(FleetTest, RejectsOptionsUnsupportedForFleets) {
  put_fleet();
  const auto refuses = [&](const std::vector<std::string>& words) {
    EXPECT_EQ(run_fleet(words), Exit::kUsage) << words.back();
    EXPECT_THAT(messages_,
                HasSubstr("not supported with many snapshots (a directory, or --fleet)"));
  };
  for (const char* what : {"--pdf", "--pid=1", "--track=t.csv", "-"}) refuses({what});
  for (const char* what : {"--vma", "--leaks"}) refuses({"--fleet", what});
}

TEST_F(FleetTest, AnswersOtherQuestionsForEachFileOfADirectory) {
  put_fleet();
  put("d/notes", "hello\n");
  EXPECT_EQ(run_fleet({"--vma"}), Exit::kDataMissing);
  EXPECT_THAT(messages_, HasSubstr(path("d/notes") + ":1:1: found \"hello\""));
  EXPECT_THAT(content("out"), HasSubstr("==> " + path("d/1") + " <=="));
  EXPECT_THAT(content("out"), HasSubstr("==> " + path("d/2") + " <=="));
}

TEST_F(FleetTest, ReportsFullOutputDevice) {
  put_fleet();
  EXPECT_EQ(command({"--totals", path("d"), "-o", "/dev/full"}), Exit::kIo);
  EXPECT_EQ(messages_, "physmem-analyze: cannot write /dev/full: No space left on device\n");
}

TEST_F(FleetTest, ReportsTemporaryDirectoryThatCannotBeWritten) {
  put_fleet();
  setenv("TMPDIR", "/nonexistent", 1);
  EXPECT_EQ(run_fleet({"--totals", "--count"}), Exit::kIo);
  unsetenv("TMPDIR");
  EXPECT_THAT(messages_, HasSubstr("cannot write a temporary file in /nonexistent"));
  EXPECT_FALSE(exists("out"));
}

/// Compares with the rows of --totals for a single snapshot, which does not use the fleet code.
TEST_F(FleetTest, MatchesTotalsOfSingleSnapshot) {
  put_fleet();
  const std::string third = put("d/3", std::string(maps_snapshot(R"(
process dog 9
10000-12000 r-xpX 0 7 /bin/dog : f2@1 f1@2
12000-14000 rw-p 0 0 - : a1 a1
)")));
  EXPECT_EQ(command({"--totals", third, "-o", path("alone")}), Exit::kDone);
  EXPECT_EQ(run_fleet({"--totals"}), Exit::kDone);
  std::istringstream alone(content("alone"));
  std::string row;
  std::getline(alone, row);
  while (std::getline(alone, row)) EXPECT_THAT(content("out"), HasSubstr("Z," + row + "\n"));
}

/// A slab cache of so many pages, and as many of a file, in the whole of RAM of a host.
std::string slab(const std::string& host, std::uint64_t n, std::string_view cache = "filp") {
  const std::string owners =
      fmt::format("O: 1, slab, 256, 16, {}\nO: 2, file, ext4, FE:01, 12, 0, 1, -, /data\n", cache);
  return ram_snapshot(1, owners + RamLines().add(n, "slab", 1).add(n, "file", 2).text(),
                      "ram_by=kcore, host=" + host);
}

TEST_F(FleetTest, ListsLedgerOfEachSnapshot) {
  put("d/1", slab("a", 10));
  put("d/2", slab("b", 30));
  put("d/3", sample("c", 0));
  EXPECT_EQ(run_fleet({"--ledger", "--csv"}), Exit::kDataMissing);
  EXPECT_EQ(content("out"),
            "Host,Time,Class,Bytes,%,With owner bytes\n"
            "a,2025-11-21T00:00:01Z,slab,40960,50.00,40960\n"
            "a,2025-11-21T00:00:01Z,file,40960,50.00,40960\n"
            "a,2025-11-21T00:00:01Z,total,81920,100.00,\n"
            "b,2025-11-21T00:00:01Z,slab,122880,50.00,122880\n"
            "b,2025-11-21T00:00:01Z,file,122880,50.00,122880\n"
            "b,2025-11-21T00:00:01Z,total,245760,100.00,\n");
  EXPECT_THAT(messages_, HasSubstr("1 of 3 snapshots: no frames of RAM"));
}

TEST_F(FleetTest, AddsClassesAndOwnersToTheDigest) {
  put("d/1", slab("a", 10));
  put("d/2", slab("b", 30));
  put("d/3", slab("b", 20, "dentry"));
  EXPECT_EQ(run_fleet({"--summary", "--csv"}), Exit::kDone) << messages_;
  EXPECT_EQ(content("out-fleet-classes.csv"),
            "Class,Hosts,Snapshots,Min bytes,Mean bytes,Max bytes,Max on\n"
            "file,2,3,40960,81920,122880,b\n"
            "slab,2,3,40960,81920,122880,b\n");
  EXPECT_EQ(content("out-fleet-owners.csv"),
            "Kind,Name,Hosts,Snapshots,Min bytes,Mean bytes,Max bytes,Max on\n"
            "slab,filp,2,2,0,54613,122880,b\n"
            "slab,dentry,1,1,0,27307,81920,b\n"
            "file system,ext4,2,3,40960,81920,122880,b\n");
}

TEST_F(FleetTest, SumsUpOwnersBeyondTheLargest) {
  std::string owners;
  RamLines runs;
  for (std::uint64_t i = 1; i <= 23; ++i) {
    owners += fmt::format("O: {0}, slab, 256, 16, cache{0}\n", i);
    runs.add(100 - i, "slab", i);
  }
  put("d/1", ram_snapshot(1, owners + runs.text(), "ram_by=kcore, host=a"));
  EXPECT_EQ(run_fleet({"--summary"}), Exit::kDone) << messages_;
  EXPECT_THAT(content("out"),
              HasSubstr("\nslab  cache20      1          1  0.31  0.31  0.31  a"
                        "\nslab  other        -          -     -  0.91     -  -\n"));
}

}  // namespace
}  // namespace physmem
