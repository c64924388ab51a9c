// SPDX-License-Identifier: MIT
// The summary of a snapshot.
#include "analyzer/shape/summary_shape.h"

#include <gtest/gtest.h>

#include "analyzer/analyze/verify/ram_witness.h"
#include "tests/unit/maps_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

constexpr std::string_view kTwo = R"(
kernel kthreadd 2
process cat 371
400000-402000 r-xpX 0 10 /bin/cat : f1 f1
1000000-1004000 rw-p 0 0 [heap] : a1 a1 a1 s
10000000-10003000 r-xp 0 20 /lib/a.so : f2@10 f2@11 a1
thread cat 372
process dog 400
10000000-10003000 r-xp 0 20 /lib/a.so : f2@10 f2@11 .
20000000-20001000 rw-p 0 0 - : z0
)";

std::string summary_of(std::string_view snapshot, const std::vector<std::string>& missing = {}) {
  Summary summary;
  fold(snapshot, {&summary});
  std::string text = "\n";
  for (const std::string& line :
       summary_text(summary, {summary.header(), "s.txt"}, ram_verdicts(summary.ledger()), missing))
    text += line + "\n";
  return text;
}

TEST(Summary, ReportsRamUserPagesLargestProcessesAndUnitsSwapAndAlerts) {
  EXPECT_EQ(summary_of(maps_snapshot(kTwo)), R"(
Snapshot       Linux 6.1.0 (x86_64), 2025-11-21 00:00:00 UTC, collected by proc
RAM            3.9 MiB in pages of 4096 bytes
User space     32 KiB (0.8 % of RAM), 2 processes with 3 threads, 1 kernel thread
By use         heap 12 KiB, library text 12 KiB, application text 8 KiB
Most unique    cat (371) 24 KiB
Most by share  cat (371) 28 KiB, dog (400) 4 KiB
Largest files  /lib/a.so 12 KiB, /bin/cat 8 KiB
Swapped out    4 KiB
Alerts         1 area with private code (4 KiB could be shared); 1 area with single and shared pages
)");
}

TEST(Summary, CountsAThreadAfterOtherTasks) {
  const std::string late =
      "T: cat     , 372, 00000173, 1, 0, 0, 0, 0, 0, 0, 371, 8639982, 370, 0\n";
  const std::string text = summary_of(with(
      kSample, "E: 2,", late + "T: dog     , 400, 00000400" + late.substr(26) + late + "E: 5,"));
  EXPECT_NE(text.find("2 processes with 4 threads, 1 kernel thread"), std::string::npos) << text;
}

TEST(Summary, ReportsMissingData) {
  const std::string text = summary_of(kSample, {"two lines were dropped", "a page was lost"});
  EXPECT_TRUE(
      text.ends_with("\nMissing        two lines were dropped\nMissing        a page was lost\n"))
      << text;
}

TEST(Summary, ReportsUnknownForASnapshotWithoutPages) {
  const std::string text =
      summary_of(with(with(kHeaderLine, "pages=all", "pages=none"), "pfn=shown", "pfn=hidden") +
                 std::string(kTaskLine) +
                 "V: 00010000, 00013FFF, 00004000, 00002000, 00000000, 00000003, NULL, 00000000, "
                 "00:00, 0\nP: 2, 0, 0, "
                 "2, 0, 1\nE: 1, 1, 2, 1, 0\n");
  EXPECT_NE(
      text.find("User space     unknown, the snapshot lists no pages; 1 process with 1 thread"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("Most unique    cat (7) 8 KiB"), std::string::npos);
  EXPECT_NE(text.find("Swapped out    4 KiB\n"), std::string::npos);
  EXPECT_EQ(text.find("Most by share"), std::string::npos);
}

TEST(Summary, SumsRegionsToTheUserPages) {
  Summary summary;
  fold(maps_snapshot("process a 1\n1000-6000 rw-p 0 0 - : z0@1 n0@2 h1@3 h1@4 "
                     "a1@5\n7FFD00000000-7FFD00002000 r--p 0 0 [vvar] : f9 f9\n"),
       {&summary});
  std::uint64_t sum = 0;
  for (const std::uint64_t pages : summary.regions()) sum += pages;
  EXPECT_EQ(sum, summary.pages().pages());
}

TEST(Summary, GivesTheSameFiguresAsATable) {
  Summary summary;
  fold(maps_snapshot(kTwo), {&summary});
  const Table table = summary_table(summary, {summary.header(), "s.txt"});
  const std::vector<std::vector<Cell>> first(table.rows.begin(), table.rows.begin() + 4);
  EXPECT_EQ(first, (std::vector<std::vector<Cell>>{{"ram", "", std::uint64_t{1000}, {}},
                                                   {"user", "", std::uint64_t{8}, {}},
                                                   {"swapped", "", std::uint64_t{1}, {}},
                                                   {"region", "heap", std::uint64_t{3}, {}}}));
}

}  // namespace
}  // namespace physmem
