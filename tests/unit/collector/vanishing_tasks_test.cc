// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/collector/fixture_tree.h"

namespace physmem::collect {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kMaps =
    "10000-20000 rw-p 00000000 00:00 0\n30000-40000 rw-p 00000000 00:00 0\n";

/// Process 7 stays. Process 8 ends while it is being collected.
class VanishingTasks : public testing::Test {
 protected:
  VanishingTasks() {
    tree_.process({.tid = 7}, kMaps);
    tree_.process({.tid = 8, .comm = "goes"}, kMaps);
  }
  FixtureTree tree_;
};

TEST_F(VanishingTasks, AreOmittedIfEndedBeforeFirstFile) {
  tree_.file("8/stat", "");
  const Collected snapshot = snapshot_of(tree_);
  EXPECT_THAT(snapshot.text, Not(HasSubstr("goes")));
  EXPECT_THAT(snapshot.text, HasSubstr("\nG: note.task_exited=1\nE: 1, 2, 0, 0, 0\n"));
  EXPECT_FALSE(snapshot.losses.is_incomplete());
}

TEST_F(VanishingTasks, AreOmittedIfStatusIsMissing) {
  tree_.remove("8/task/8/status");
  EXPECT_THAT(snapshot_of(tree_).text, HasSubstr("\nG: note.task_exited=1\nE: 1, 2, 0, 0, 0\n"));
}

TEST_F(VanishingTasks, HaveNoAreasIfEndedBeforeMaps) {
  tree_.file("8/task/8/maps", "");
  const Collected snapshot = snapshot_of(tree_);
  EXPECT_THAT(snapshot.text, HasSubstr("\nT: goes    , 8, 00000008,"));
  EXPECT_THAT(snapshot.text, HasSubstr("\nG: note.task_exited=1\nE: 2, 2, 0, 0, 0\n"));
}

TEST_F(VanishingTasks, HaveNoAreasIfEndedBeforePagemap) {
  tree_.file("8/task/8/pagemap", "");
  EXPECT_THAT(snapshot_of(tree_).text, HasSubstr("\nG: note.task_exited=1\nE: 2, 2, 0, 0, 0\n"));
}

// The process calls exec during collection: the stack in /proc/PID/stat differs from the stack that
// the thread has afterwards.
TEST_F(VanishingTasks, HaveNoAreasAfterExecDuringCollection) {
  tree_.file("8/stat",
             "8 (old) S 1 1 1 0 -1 0 1 2 3 4 5 6 0 0 20 0 1 0 5000 1048576 7 0 11 12 99 0 0 0 0 0 "
             "0 0 0 0 17 "
             "3 0 0 0\n");
  EXPECT_THAT(snapshot_of(tree_).text, HasSubstr("\nG: note.task_exited=1\nE: 2, 2, 0, 0, 0\n"));
}

TEST_F(VanishingTasks, OmitOnlyLineOfEndedThread) {
  tree_.process({.tid = 8, .comm = "goes", .threads = 2}, kMaps);
  tree_.thread(8, {.tid = 9, .comm = "thread"});
  tree_.file("8/task/9/stat", "");
  EXPECT_THAT(snapshot_of(tree_).text, HasSubstr("\nG: note.task_exited=1\nE: 2, 4, 0, 0, 0\n"));
}

TEST_F(VanishingTasks, AssignAreasOfEndedLeaderToFirstLiveThread) {
  tree_.process({.tid = 8, .comm = "goes", .state = 'Z', .vsize = 0, .threads = 3});
  tree_.thread(8, {.tid = 9, .comm = "lives"}, kMaps);
  tree_.thread(8, {.tid = 10, .comm = "lives"}, kMaps);
  const Collected snapshot = snapshot_of(tree_);
  EXPECT_THAT(snapshot.text, HasSubstr("\nT: goes    , 8, 00000000,"));
  EXPECT_THAT(snapshot.text,
              testing::ContainsRegex("\nT: lives   , 9, 00000008,[^\n]*\nV: 00010000, "));
  EXPECT_THAT(snapshot.text,
              testing::ContainsRegex("\nT: lives   , 10, 00000008,[^\n]*\nE: 4, 4, 0, 0, 0\n"));
}

// Cgroups of version 1: the kernel shows the root for a thread that has ended.
TEST_F(VanishingTasks, ReadGroupAndProgramOfALiveThread) {
  tree_.process({.tid = 8, .comm = "goes", .state = 'Z', .vsize = 0, .threads = 2});
  tree_.file("8/cgroup", "4:memory:/\n");
  tree_.thread(8, {.tid = 9, .comm = "lives"},
               "00010000-00011000 r-xp 00000000 fe:01 11 /bin/lives\n");
  tree_.file("8/task/9/cgroup", "4:memory:/service\n");
  tree_.link("8/task/9/exe", "/bin/lives");
  const Collected snapshot = snapshot_of(tree_);
  EXPECT_THAT(snapshot.text,
              testing::ContainsRegex("\nT: goes    , 8, 00000000,[^\n]*, /service\n"));
  EXPECT_THAT(snapshot.text, testing::ContainsRegex("\nV: 00010000,[^\n]*, 00001005, /bin/lives"));
}

TEST_F(VanishingTasks, IncludeZombieWithoutAddressSpace) {
  tree_.process({.tid = 8, .comm = "goes", .state = 'Z', .vsize = 0});
  const Collected snapshot = snapshot_of(tree_);
  EXPECT_THAT(snapshot.text,
              testing::ContainsRegex("\nT: goes    , 8, 00000000,[^\n]*\nE: 2, 2, 0, 0, 0\n"));
}

}  // namespace
}  // namespace physmem::collect
