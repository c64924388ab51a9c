// SPDX-License-Identifier: MIT
// Questions about a series (leaks, diff): number of snapshots, output formats and exit status.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/unit/cli/command_run.h"
#include "tests/unit/maps_snapshot.h"
#include "tests/unit/ram_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

class SeriesTest : public CommandRun {
 protected:
  /// A snapshot of a heap of `n` pages at `second`.
  static std::string heap(std::uint64_t n, int second) {
    std::string pages;
    for (std::uint64_t i = 0; i < n; ++i) pages += " a1";
    return with(maps_snapshot(fmt::format("process a 1\n1000-{:x} rw-p 0 0 [heap] :{}\n",
                                          0x1000 + (n << 12), pages)),
                "uptime_ns=1,", fmt::format("uptime_ns={}000000000,", second));
  }
  std::string leak() const {
    return write("leak.txt", heap(100, 10) + heap(300, 20) + heap(500, 30));
  }
  std::string idle() const {
    return write("idle.txt", heap(100, 10) + heap(100, 20) + heap(100, 30));
  }
};

TEST_F(SeriesTest, PrintsLeaksAsTextAndTable) {
  EXPECT_EQ(command({"--leaks", leak(), "-o", path("out")}), Exit::kDone);
  EXPECT_EQ(
      content("out"),
      R"(Leak? [heap] at 1000 of a (1): 80.0 ± 0 KiB/s, 1.6 MiB in 20.0 s, 3 snapshots; still growing at the end; confidence low: rate known to better than 0.1 %, nothing given back, 3 samples only
looked at 1 process: 2 time series of regions and areas over 20.0 s, 3 snapshots

Level   Command  PID  Region  File    Start       Samples  First MiB  Last MiB  KiB/s    +-  Full in s  Confidence  Ended after
region  a          1  heap    -                -        3       0.39      1.95  80.00  0.00          -  low                   -
area    a          1  heap    [heap]  0x00001000        3       0.39      1.95  80.00  0.00          -  low                   -
)");
}

TEST_F(SeriesTest, PrintsScopeIfNothingLeaks) {
  EXPECT_EQ(command({"--leaks", idle(), "-o", path("out")}), Exit::kDone);
  EXPECT_EQ(content("out"),
            "No leaks.\nlooked at 1 process: 2 time series of regions and areas over 20.0 s, 3 "
            "snapshots\n");
}

TEST_F(SeriesTest, PrintsWhenLeakingProcessEnded) {
  const std::string other = with(maps_snapshot("process b 2\n1000-2000 rw-p 0 0 [heap] : a1\n"),
                                 "uptime_ns=1,", "uptime_ns=40000000000,");
  const std::string input =
      write("ended.txt", heap(100, 10) + heap(300, 20) + heap(500, 30) + other);
  // A leak of an ended process is no alert: it may have been a compiler.
  EXPECT_EQ(command({"--leaks", "--fail-on-alert", input, "-o", path("out")}), Exit::kDone);
  EXPECT_NE(content("out").find("; it ended after 20.0 s; confidence low"), std::string::npos)
      << content("out");
  EXPECT_NE(content("out").find("; 1 process ended before the last snapshot\n"), std::string::npos)
      << content("out");
}

TEST_F(SeriesTest, WritesLeaksAsRowsAndEveryTimeSeriesWithFull) {
  EXPECT_EQ(command({"--leaks", "--json", leak(), "-o", path("out")}), Exit::kDone);
  const auto json = nlohmann::json::parse(content("out"));
  const auto& row = json[0]["reports"][0]["rows"][0];
  EXPECT_EQ(row["rate_kib"], 80.0);
  EXPECT_EQ(row["last_bytes"], 500 * 4096);
  EXPECT_EQ(row["confidence"], "low");
  EXPECT_EQ(command({"--leaks", "--full", "--csv", idle(), "-o", path("out")}), Exit::kDone);
  EXPECT_EQ(
      content("out"),
      R"(Level,Command,PID,Region,File,Start,Samples,First bytes,Last bytes,KiB/s,+-,Full in s,Confidence,Ended after,Verdict,Standard error KiB,Largest fall KiB,Largest step KiB,Late KiB/s
region,a,1,heap,,,3,409600,409600,0.00,0.00,,,,small,0.00,0.00,0.00,0.00
area,a,1,heap,[heap],0X00001000,3,409600,409600,0.00,0.00,,,,small,0.00,0.00,0.00,0.00
)");
}

TEST_F(SeriesTest, ReturnsAlertStatusForLeakWithFailOnAlert) {
  EXPECT_EQ(command({"--leaks", "--fail-on-alert", leak(), "-o", path("out")}), Exit::kAlerts);
  EXPECT_EQ(command({"--leaks", "--fail-on-alert", idle(), "-o", path("out")}), Exit::kDone);
}

TEST_F(SeriesTest, ReportsThatTwoSecondsAreTooShortForLeaks) {
  const std::string brief = write("brief.txt", heap(100, 1) + heap(300, 2) + heap(500, 3));
  EXPECT_EQ(command({"--leaks", "--fail-on-alert", brief, "-o", path("out")}), Exit::kDataMissing);
  EXPECT_EQ(content("out"),
            "Leaks: unknown, 2.0 s are too short to judge, expected 10 s or more.\n"
            "looked at 1 process: 2 time series of regions and areas over 2.0 s, 3 snapshots; 2 "
            "over less than "
            "10 s, too short to judge\n");
  EXPECT_NE(messages_.find("leaks: 2.0 s are too short to judge, expected 10 s or more"),
            std::string::npos)
      << messages_;
}

TEST_F(SeriesTest, ReportsExpectedNumberOfSnapshots) {
  const std::string one = write("one.txt", heap(100, 1));
  EXPECT_EQ(command({"--leaks", one, one}), Exit::kUsage);
  EXPECT_EQ(
      messages_,
      "physmem-analyze: --ask leaks: found 2 snapshots, expected 3 snapshots or more, in separate "
      "files or in one\n");
  EXPECT_EQ(command({"--diff", leak()}), Exit::kUsage);
  EXPECT_EQ(
      messages_,
      "physmem-analyze: --ask diff: found 3 snapshots, expected 2 snapshots, in separate files or "
      "in one\n");
}

/// A snapshot with the kernel's counts of slab caches.
std::string slab_snapshot(std::uint64_t pages, int second) {
  return with(with(with(maps_snapshot("process a 1\n1000-2000 rw-p 0 0 [heap] : a1\n"),
                        "uptime_ns=1,", fmt::format("uptime_ns={}000000000,", second)),
                   "pages=all,", "pages=all, ram=totals, ram_by=proc,"),
              "\nE: ", fmt::format("\nG: slab.dentry={}\nE: ", pages));
}

TEST_F(SeriesTest, AnswersForOneSnapshotLikeOtherAnalyses) {
  const std::string one = write("one.txt", slab_snapshot(10, 10));
  ASSERT_EQ(command({"--slab", "--count", "--json", one, "-o", path("out.json")}), Exit::kDone);
  const auto json = nlohmann::json::parse(content("out.json"));
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["snapshot"], one);
  EXPECT_EQ(json[0]["reports"][0]["report"], "count");
  EXPECT_EQ(json[0]["reports"][1]["report"], "slab");
  ASSERT_EQ(command({"--slab", one, "-o", path("out")}), Exit::kDone);
  EXPECT_THAT(content("out"), testing::StartsWith("Slab caches (MiB)\nCache   Size "));
}

TEST_F(SeriesTest, AnswersOnceForSeveralSnapshots) {
  const std::string first = write("first.txt", slab_snapshot(10, 10));
  const std::string two = write("two.txt", slab_snapshot(15, 20) + slab_snapshot(26, 30));
  ASSERT_EQ(command({"--slab", "--json", first, two, "-o", path("out.json")}), Exit::kDone);
  const auto json = nlohmann::json::parse(content("out.json"));
  ASSERT_EQ(json.size(), 1u);
  EXPECT_EQ(json[0]["snapshots"], 3);
  EXPECT_EQ(json[0]["series"].size(), 2u);
  EXPECT_EQ(json[0]["reports"][0]["report"], "slab-growth");
  EXPECT_EQ(json[0]["reports"][0]["rows"][0]["first_bytes"], 10 * 4096);
  EXPECT_EQ(json[0]["reports"][0]["rows"][0]["last_bytes"], 26 * 4096);
}

TEST_F(SeriesTest, ReportsThatSlabCachesAreUnknown) {
  EXPECT_EQ(command({"--slab", idle(), "-o", path("out")}), Exit::kDataMissing);
  EXPECT_THAT(content("out"), testing::StartsWith("Slab caches: unknown, "));
}

TEST_F(SeriesTest, PrintsDifferencesAsTextTables) {
  const std::string before = write("a.txt", heap(3, 1));
  const std::string after = write("b.txt", heap(5, 2));
  EXPECT_EQ(command({"--diff", before, after, "-o", path("out")}), Exit::kDone) << messages_;
  EXPECT_EQ(
      content("out"),
      R"(From Linux 6.1.0 (x86_64), 2025-11-21 00:00:00 UTC, collected by proc to Linux 6.1.0 (x86_64), 2025-11-21 00:00:00 UTC, collected by proc, 0.0 s later (MiB)
Memory                   Before  After  Change  Gained  Lost
resident, all processes    0.01   0.02   +0.01    0.01  0.00
distinct                   0.01   0.02   +0.01       -     -
swapped                    0.00   0.00    0.00       -     -

Processes (MiB)
Command  PID  State   Before  After  Change  Gained  Lost  Moved  To private  To shared  Swapped
a          1  stayed    0.01   0.02   +0.01    0.01  0.00   0.00        0.00       0.00     0.00

Files, over all processes (MiB)
File  Distinct before  Distinct after  Before  After  Change  Gained  Lost  Moved  To private  To shared  Swapped
heap             0.01            0.02    0.01   0.02   +0.01    0.01  0.00   0.00        0.00       0.00     0.00

Areas (MiB)
Command  PID  Start       State   Region  File    Before  After  Change  Gained  Lost  Moved  To private  To shared  Swapped
a          1  0X00001000  stayed  heap    [heap]    0.01   0.02   +0.01    0.01  0.00   0.00        0.00       0.00     0.00
)");
}

TEST_F(SeriesTest, WritesDifferencesAsOneCsvTable) {
  const std::string before = write("a.txt", heap(3, 1));
  const std::string after = write("b.txt", heap(5, 2));
  EXPECT_EQ(command({"--diff", "--csv", "--full", "--pages", before, after, "-o", path("out")}),
            Exit::kDone);
  EXPECT_EQ(
      content("out"),
      R"(Level,Command,PID,State,Region,File,Start,Before,After,Gained,Lost,To private,To shared,Swapped before,Swapped after,Last,Moved,Copied,Distinct before,Distinct after
total,,,,,,,3,5,2,0,0,0,0,0,,0,0,3,5
process,a,1,stayed,,,,3,5,2,0,0,0,0,0,,0,0,,
file,,,,,heap,,3,5,2,0,0,0,0,0,,0,0,3,5
area,a,1,stayed,heap,[heap],0X00001000,3,5,2,0,0,0,0,0,0X00005FFF,0,0,,
)");
}

TEST_F(SeriesTest, ReportsMissingPagesOfComparison) {
  const std::string counted =
      write("a.txt",
            with(kHeaderLine, "pages=all", "pages=none") + std::string(kTaskLine) +
                "V: 00001000, 00003FFF, 00003000, 00003000, 00000000, 00000003, [heap], 00000000, "
                "00:00, 0\nP: 3, 0, 0, 3, 0, 0\nE: 1, 1, 3, 0, 0\n");
  const std::string after = write("b.txt", heap(3, 2));
  EXPECT_EQ(command({"--diff", counted, after, "-o", path("out")}), Exit::kDataMissing);
  EXPECT_NE(messages_.find("a snapshot lists no pages"), std::string::npos) << messages_;
}

TEST_F(SeriesTest, ReportsUnknownMemoryIfNoAreasAreListed) {
  const auto tasks = [](int second) {
    return with(with(kHeaderLine, "pages=all, pfn=shown", "pages=none, pfn=shown, areas=none"),
                "uptime_ns=0", fmt::format("uptime_ns={}000000000", second)) +
           std::string(kTaskLine) + "E: 1, 0, 0, 0, 0\n";
  };
  const std::string one = write("1.txt", tasks(1));
  const std::string two = write("2.txt", tasks(2));
  const std::string three = write("3.txt", tasks(3));
  EXPECT_EQ(command({"--leaks", one, two, three, "-o", path("out")}), Exit::kDataMissing)
      << messages_;
  EXPECT_NE(messages_.find("no areas in 3 of 3 snapshots: leaks requires them"), std::string::npos)
      << messages_;
  EXPECT_EQ(content("out").find("No leaks."), std::string::npos) << content("out");
  EXPECT_EQ(command({"--diff", one, two, "-o", path("out")}), Exit::kDataMissing) << messages_;
  EXPECT_NE(messages_.find("no areas in either snapshot: diff requires them"), std::string::npos)
      << messages_;
  EXPECT_EQ(messages_.find("each area's counts"), std::string::npos) << messages_;
  EXPECT_EQ(command({"--diff", one, write("b.txt", heap(3, 2)), "-o", path("out")}),
            Exit::kDataMissing);
  EXPECT_NE(messages_.find("no areas in the first snapshot"), std::string::npos) << messages_;
}

TEST_F(SeriesTest, PrintsHowLongMemoryLasts) {
  // 80,000 kB at 20 pages of 4 KiB per second.
  const std::string last = with(heap(500, 30), "T: a", "G: mem.MemAvailable_kB=80000\nT: a");
  const std::string input = write("leak.txt", heap(100, 10) + heap(300, 20) + last);
  EXPECT_EQ(command({"--leaks", "--json", input, "-o", path("out")}), Exit::kDone);
  EXPECT_EQ(nlohmann::json::parse(content("out"))[0]["reports"][0]["rows"][0]["full_in_s"], 1000.0);
  EXPECT_EQ(command({"--leaks", input, "-o", path("out")}), Exit::kDone);
  EXPECT_NE(content("out").find("; available memory lasts 17 min at that rate;"),
            std::string::npos);
}

/// A slab cache of so many pages at `second`, in the whole of RAM.
std::string slab(std::uint64_t n, int second, std::string_view cache = "filp") {
  return ram_snapshot(second, fmt::format("O: 1, slab, 256, 16, {}\n", cache) +
                                  RamLines().add(n, "slab", 1).add(100, "anon").text());
}

TEST_F(SeriesTest, PrintsDifferencesOfRam) {
  const std::string before = write("a.txt", slab(20, 1));
  const std::string after = write("b.txt", slab(25, 2));
  EXPECT_EQ(command({"--diff", before, after, "-o", path("out")}), Exit::kDone) << messages_;
  const std::string out = content("out");
  EXPECT_EQ(out.substr(out.find("\nRAM")), R"(
RAM by class (MiB)
Class        Before  After  Change
slab caches    0.08   0.10   +0.02
1 class did not change

Slab caches (MiB)
Before  After  Change  Came  Went  Stayed  State   Name
  0.08   0.10   +0.02  0.02  0.00    0.08  stayed  filp
)");
}

TEST_F(SeriesTest, WritesDifferencesOfRamAsFurtherCsvTables) {
  const std::string before = write("a.txt", slab(20, 1));
  const std::string after = write("b.txt", slab(25, 2));
  EXPECT_EQ(command({"--diff", "--csv", before, after, "-o", path("out.csv")}), Exit::kDone);
  EXPECT_EQ(content("out-diff-classes.csv"),
            "Class,Before bytes,After bytes\nslab,81920,102400\nanon,409600,409600\n");
  EXPECT_EQ(content("out-diff-owners.csv"),
            "Kind,State,Before bytes,After bytes,Came bytes,Went bytes,Stayed bytes,Moved bytes,"
            "Identity,Name\n"
            "slab,stayed,81920,102400,20480,0,81920,,,filp\n");
  EXPECT_EQ(command({"--diff", "--csv", before, after, "-o", "/dev/null"}), Exit::kDone);
  EXPECT_EQ(messages_,
            "physmem-analyze: left out diff-classes, diff-owners: --output gives each "
            "further table a file next to it\n");
}

TEST_F(SeriesTest, ReportsThatOnlyOneSnapshotHasRam) {
  const std::string before = write("a.txt", slab(20, 1));
  const std::string after = write("b.txt", with(slab(25, 2), ", ram=all", ""));
  EXPECT_EQ(command({"--diff", before, after, "-o", path("out")}), Exit::kDataMissing);
  EXPECT_NE(messages_.find("only one of the snapshots has the frames of RAM"), std::string::npos)
      << messages_;
}

TEST_F(SeriesTest, PrintsLeaksOfRam) {
  const std::string input = write("leak.txt", slab(100, 10) + slab(300, 20) + slab(500, 30));
  EXPECT_EQ(command({"--leaks", "--fail-on-alert", input, "-o", path("out")}), Exit::kAlerts);
  EXPECT_EQ(
      content("out"),
      R"(Leak? slab cache filp: 80.0 ± 0 KiB/s, 1.6 MiB in 20.0 s, 3 snapshots; still growing at the end; confidence low: rate known to better than 0.1 %, nothing given back, 3 samples only
looked at 0 processes: 0 time series of regions and areas over 20.0 s, 3 snapshots
looked at the whole of RAM: 4 time series of classes and owners over 20.0 s, 3 snapshots

Kind  Name  Identity  PID  Samples  First MiB  Last MiB  KiB/s    +-  Full in s  Confidence  Reclaimable  Rest
slab  filp              -        3       0.39      1.95  80.00  0.00          -  low         no           no
)");
}

TEST_F(SeriesTest, RaisesNoAlertForCachesThatGrow) {
  const std::string input = write(
      "leak.txt", slab(100, 10, "dentry") + slab(300, 20, "dentry") + slab(500, 30, "dentry"));
  EXPECT_EQ(command({"--leaks", "--fail-on-alert", input, "-o", path("out")}), Exit::kDone);
  const std::string out = content("out");
  EXPECT_EQ(out.substr(0, out.find(':')), "No leaks.\nCache grows") << out;
  EXPECT_NE(out.find("the kernel can reclaim these objects unless they are in use; confidence low"),
            std::string::npos);
}

TEST_F(SeriesTest, ReportsSnapshotsWithoutRam) {
  const std::string input =
      write("leak.txt",
            slab(100, 10) + slab(300, 20) + with(slab(300, 25), ", ram=all", "") + slab(500, 30));
  EXPECT_EQ(command({"--leaks", input, "-o", path("out")}), Exit::kDataMissing);
  EXPECT_NE(messages_.find("1 snapshot without the whole of RAM (collect with --ram): its leaks "
                           "are judged by the others"),
            std::string::npos)
      << messages_;
}

}  // namespace
}  // namespace physmem
