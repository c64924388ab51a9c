// SPDX-License-Identifier: MIT
#include "collector-proc/group_pressure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/collector/fixture_tree.h"

namespace physmem::collect {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kPressure =
    "some avg10=0.00 avg60=0.00 avg300=0.00 total=70\nfull avg10=0.00 total=60\n";

/// /pod has a limit, /pod/web in it has none, /pod/web/worker has no memory controller.
class GroupPressureTest : public testing::Test {
 protected:
  GroupPressureTest() {
    for (const char* group : {"", "pod/", "pod/web/", "pod/web/worker/"})
      fixture_.file("fs/cgroup/" + std::string(group) + "memory.pressure", kPressure);
    fixture_.file("fs/cgroup/pod/memory.events.local", "low 1\nhigh 390\nmax 2\n");
    fixture_.file("fs/cgroup/pod/web/memory.events.local", "low 0\nhigh 1\nmax 0\n");
  }

  FixtureTree fixture_;
};

TEST_F(GroupPressureTest, CountsWhatTheGroupsAboveHeldBack) {
  GroupPressure groups(fixture_.root());
  EXPECT_THAT(lines_of(groups.first("/pod/web/worker")),
              ElementsAre("group.some_us=70", "group.full_us=60", "group.high=391"));
  EXPECT_THAT(lines_of(groups.first("/pod")),
              ElementsAre("group.some_us=70", "group.full_us=60", "group.high=390"));
}

TEST_F(GroupPressureTest, ReadsAGroupOncePerSnapshot) {
  GroupPressure groups(fixture_.root());
  EXPECT_EQ(groups.first("/pod").size(), 3u);
  EXPECT_THAT(groups.first("/pod"), IsEmpty());
  groups.begin_snapshot(70);
  EXPECT_EQ(groups.first("/pod").size(), 3u);
  groups.begin_snapshot(70);
  EXPECT_THAT(groups.first("/pod"), IsEmpty()) << "no task of the machine has stalled";
  groups.begin_snapshot(71);
  EXPECT_EQ(groups.first("/pod").size(), 3u);
}

TEST_F(GroupPressureTest, LeavesOutTheRootAndGroupsThatItCannotSee) {
  GroupPressure groups(fixture_.root());
  for (const char* group : {"", "/", "/../other", "/gone"})
    EXPECT_THAT(groups.first(group), IsEmpty()) << group;
  EXPECT_THAT(GroupPressure(fixture_.root() + "/none").first("/pod"), IsEmpty());
}

}  // namespace
}  // namespace physmem::collect
