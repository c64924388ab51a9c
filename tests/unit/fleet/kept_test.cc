// SPDX-License-Identifier: MIT
// Places of snapshots in an archive.
#include <gmock/gmock.h>

#include "tests/unit/fleet/fleet_reports.h"

namespace physmem::fleet {
namespace {

using KeptTest = StoreTest;

TEST_F(KeptTest, ForgetsPlacesThatTheArchiveRemoved) {
  const std::vector<Report> reports{unit_report("a", 0, 4), unit_report("a", 86400, 4)};
  add(reports);
  const std::vector<KeptSnapshot> kept{{reports[0].snapshot.key, "first"},
                                       {reports[1].snapshot.key, "second"}};
  ASSERT_TRUE(store_->set_kept(kept));
  ASSERT_TRUE(store_->forget_kept(kDayOne + 86400));
  EXPECT_EQ(rows(Question::kKept), "a 1795305600000000000 second 0\n");
}

TEST_F(KeptTest, ShowsPlacesThatLeadOutOfTheArchiveAsTheyAre) {
  Report report = unit_report("a", 0, 4);
  for (const char* const place : {"../../etc/shadow", "/etc/shadow", "2026/../../x"}) {
    report.snapshot.archive = place;
    add({report});
    EXPECT_EQ(ask({.question = "snapshots", .archive = "kept"}).rows[0].back(), Cell(place));
  }
  report.snapshot.archive = "x..y";
  add({report});
  folder_.put("x..y", "");
  EXPECT_EQ(ask({.question = "snapshots", .archive = folder_.path("")}).rows[0].back(),
            Cell(folder_.path("x..y")));
}

TEST_F(KeptTest, LeavesOutSnapshotsWhoseFilesAreGone) {
  Report there = unit_report("a", 0, 4), gone = unit_report("a", 60, 4);
  there.snapshot.archive = "there";
  gone.snapshot.archive = "gone";
  add({there, gone});
  folder_.put("there", "");
  const std::string archive = folder_.path("");
  const auto found = answer_of({.question = "snapshots", .archive = archive});
  ASSERT_TRUE(found);
  EXPECT_THAT(found->tables[0].rows, testing::SizeIs(1));
  EXPECT_EQ(found->tables[0].head.title, "1 snapshot in the archive, of 1 host");
  EXPECT_THAT(found->missing, testing::ElementsAre("without 1 snapshot that the store names and " +
                                                   archive + " does not have"));
  EXPECT_EQ(ask({.question = "snapshots"}).rows.size(), 2U);
  const auto hosts = answer_of({.question = "hosts", .archive = archive});
  EXPECT_EQ(cells(hosts->tables[0].rows[0]).back(), ',') << "its latest one is gone";
  EXPECT_THAT(hosts->missing, testing::SizeIs(1));
}

}  // namespace
}  // namespace physmem::fleet
