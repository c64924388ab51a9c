// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/collector/fixture_tree.h"

namespace physmem::collect {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kSmaps = R"(10000-20000 r-xp 00000000 08:01 99      /lib/a
Rss:                  12 kB
Shared_Clean:          8 kB
Private_Dirty:         4 kB
Swap:                  4 kB
30000-40000 rw-p 00000000 00:00 0
Rss:                   0 kB
)";

TEST(Privilege, ReadsCountsFromSmapsIfFrameNumbersAreHidden) {
  FixtureTree tree;
  tree.remove("kpageflags");
  tree.process({.tid = 7}, "10000-20000 r-xp 00000000 08:01 99      /lib/a\n");
  tree.file("7/task/7/smaps", kSmaps);
  tree.page(7, 0x10000, present(0));
  const Collected snapshot = snapshot_of(tree);
  EXPECT_THAT(snapshot.header, HasSubstr(", pages=none, pfn=hidden\n"));
  EXPECT_THAT(snapshot.text, HasSubstr(R"(
V: 00010000, 0001FFFF, 00010000, 00003000, 00000000, 00000005, /lib/a, 00000000, 08:01, 99
P: 3, 3, 3, 1, 2, 1
V: 00030000, 0003FFFF, 00010000, 00000000, 00000000, 00000003, NULL, 00000000, 00:00, 0
P: 0, 0, 0, 0, 0, 0
G: note.frames_missing=1
E: 1, 2, 3, 1, 0
)"));
  EXPECT_THAT(snapshot.text, Not(HasSubstr("M:")));
  EXPECT_TRUE(snapshot.losses.is_incomplete());
}

TEST(Privilege, SkipsAndCountsFrameNumberZero) {
  FixtureTree tree;
  tree.process({.tid = 7}, "10000-20000 rw-p 00000000 00:00 0\n");
  tree.page(7, 0x10000, present(0));
  const Collected snapshot = snapshot_of(tree);
  EXPECT_THAT(snapshot.text,
              HasSubstr("\nP: 0, 0, 0, 0, 0, 0\nG: note.frame_unreadable=1\nE: 1, 1, 0, 0, 0\n"));
  EXPECT_TRUE(snapshot.losses.is_incomplete());
}

TEST(Privilege, ListsTenHiddenProcessesAndCountsTheRest) {
  Losses losses, of_another_job;
  for (std::uint64_t pid = 30; pid > 20; --pid) of_another_job.add_hidden({pid, "late"});
  losses.add_hidden({7, "a\x1B[2J"});
  losses.add(of_another_job);
  const std::vector<std::string> lines = hidden_lines(losses);
  ASSERT_EQ(lines.size(), 11u);
  EXPECT_EQ(lines.front(), "process 7 (a?[2J): no permission to read its areas");
  EXPECT_EQ(lines[1], "process 21 (late): no permission to read its areas");
  EXPECT_EQ(lines.back(), "and 1 more");
  EXPECT_EQ(hidden_lines({}).size(), 0u);
}

TEST(Privilege, KeepsHiddenProcessesOfSnapshotThatLacksMost) {
  Losses first, second;
  first.add_hidden({7, "a"});
  second.add_hidden({8, "b"});
  second.add_hidden({9, "c"});
  first += second;
  EXPECT_EQ(first.areas_hidden, 2u);
  EXPECT_THAT(first.hidden, testing::ElementsAre(HiddenProcess{8, "b"}, HiddenProcess{9, "c"}));
}

}  // namespace
}  // namespace physmem::collect
