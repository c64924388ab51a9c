// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/unit_reuse.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/maps_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

/// The reuse over snapshots of one program. Each string lists the pages of its text ('f' is
/// resident).
UnitReuse reuse(const std::vector<std::string>& snapshots) {
  UnitReuse reuse;
  for (const std::string& pages : snapshots)
    fold(maps_snapshot("process cat 371\n400000-414000 r-xpX 0 10 /bin/cat : " + pages + "\n"),
         {&reuse});
  return reuse;
}

std::string pages(int n, const char* what) {
  std::string text;
  for (int i = 0; i < n; ++i) text += (i == 0 ? "" : " ") + std::string(what);
  return text;
}

TEST(UnitReuse, HasNoRowsForPagesThatStay) {
  EXPECT_TRUE(reuse({"f f", "f f", "f f f"}).rows().empty());
}

TEST(UnitReuse, CountsPagesThatLeaveAndReturn) {
  const auto rows = reuse({"f f f .", "f . . .", "f f . f"}).rows();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].unit, "/bin/cat");
  EXPECT_EQ(rows[0].resident, 3u);
  EXPECT_EQ(rows[0].lost, 2u);
  EXPECT_EQ(rows[0].came, 2u);
  EXPECT_EQ(rows[0].returned, 1u);
  EXPECT_FALSE(rows[0].is_thrashing());
}

TEST(UnitReuse, DoesNotCountReturnAfterLongAbsence) {
  const auto rows = reuse({"f", ".", ".", "f"}).rows();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].returned, 0u);
}

TEST(UnitReuse, ReportsCodeThatLeavesAndReturnsAsThrashing) {
  const std::string all = pages(20, "f");
  const std::string none = pages(20, ".");
  const auto rows = reuse({all, none, all, none, all}).rows();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].returned, 40u);
  EXPECT_TRUE(rows[0].is_thrashing());
}

TEST(UnitReuse, DoesNotCountEndOfProgramAsEviction) {
  UnitReuse reuse;
  const auto run = [&](int pid) {
    const std::string process =
        pid == 0 ? "process sh 1\n" : "process cat " + std::to_string(pid) + "\n";
    const std::string area = pid == 0
                                 ? "100000-101000 r-xpX 0 11 /bin/sh : f\n"
                                 : "400000-414000 r-xpX 0 10 /bin/cat : " + pages(20, "f") + "\n";
    fold(maps_snapshot(process + area), {&reuse});
  };
  for (const int pid : {371, 0, 372, 0, 373}) run(pid);
  EXPECT_TRUE(reuse.rows().empty());
}

TEST(UnitReuse, SkipsSnapshotsWithoutPages) {
  UnitReuse reuse;
  const std::string listed = maps_snapshot(
      "process cat 371\n400000-414000 r-xpX 0 10 /bin/cat : " + pages(20, "f") + "\n");
  for (int i = 0; i < 3; ++i) {
    fold(listed, {&reuse});
    fold(std::string(with(kHeaderLine, "pages=all", "pages=none")) + std::string(kTaskLine) +
             "E: 1, 0, 0, 0, 0\n",
         {&reuse});
  }
  EXPECT_TRUE(reuse.rows().empty());
}

TEST(UnitReuse, IdentifiesPageByFileOffset) {
  UnitReuse reuse;
  for (const char* area :
       {"400000-401000 r-xpX 0 10 /bin/cat : f", "500000-501000 r-xpX 0 10 /bin/cat : f"})
    fold(maps_snapshot(std::string("process cat 371\n") + area + "\n"), {&reuse});
  EXPECT_TRUE(reuse.rows().empty());
}

}  // namespace
}  // namespace physmem
