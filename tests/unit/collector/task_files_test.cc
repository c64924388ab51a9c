// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "collector-proc/cgroup_reader.h"
#include "collector-proc/stat_reader.h"
#include "collector-proc/status_reader.h"

namespace physmem::collect {
namespace {

constexpr const char* kFields =
    " S 370 371 371 34816 371 4194304 10 11 12 13 14 15 16 17 20 0 1 0 8639981 8192000 93 "
    "18446744073709551615 26 27 28 "
    "0 0 0 0 0 0 0 0 0 17 5 0 0 0 0 0\n";

std::string comm_of(const std::string& name) {
  const auto stat = parse_stat("371 (" + name + ")" + kFields);
  return stat ? stat->comm : "(refused)";
}

TEST(Stat, ReadsEachField) {
  const auto stat = parse_stat(std::string("371 (cat)") + kFields);
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->comm, "cat");
  EXPECT_EQ(stat->ppid, 370u);
  EXPECT_EQ(stat->flags, 4194304u);
  EXPECT_EQ(stat->min_flt, 10u);
  EXPECT_EQ(stat->cmin_flt, 11u);
  EXPECT_EQ(stat->maj_flt, 12u);
  EXPECT_EQ(stat->cmaj_flt, 13u);
  EXPECT_EQ(stat->utime, 14u);
  EXPECT_EQ(stat->stime, 15u);
  EXPECT_EQ(stat->start_time, 8639981u);
  EXPECT_EQ(stat->vsize, 8192000u);
  EXPECT_EQ(stat->rss, 93u);
  EXPECT_EQ(stat->start_code, 26u);
  EXPECT_EQ(stat->start_stack, 28u);
  EXPECT_EQ(stat->cpu, 5u);
}

TEST(Stat, AcceptsParenthesesInName) {
  EXPECT_EQ(comm_of("a) R 1 ("), "a) R 1 (");
  EXPECT_EQ(comm_of(")"), ")");
  EXPECT_EQ(comm_of(""), "");
  EXPECT_EQ(comm_of("two words"), "two words");
}

TEST(Stat, DecodesEscapesOfKernel) {
  EXPECT_EQ(comm_of("a\\nb\\\\c"), "a\nb\\c");
  EXPECT_EQ(comm_of("a\\"), "a\\");
}

TEST(Stat, RejectsMalformedLines) {
  for (const char* text : {"", "371", "371 (cat", "371 )cat(", "371 (cat)", "371 (cat) S 1 2 3\n"})
    EXPECT_FALSE(parse_stat(text)) << text;
}

TEST(Status, ReadsProcessIdAndRealUserId) {
  const auto status =
      parse_status("Name:\tTgid: 7\nTgid:\t371\nPid:\t372\nUid:\t1000\t0\t0\t0\nGid:\t5\n");
  ASSERT_TRUE(status);
  EXPECT_EQ(status->tgid, 371u);
  EXPECT_EQ(status->uid, 1000u);
  EXPECT_FALSE(parse_status("Name:\tcat\n"));
}

TEST(Cgroup, PrefersUnifiedHierarchy) {
  EXPECT_EQ(memory_cgroup("0::/user.slice/a:b\n"), "/user.slice/a:b");
  EXPECT_EQ(memory_cgroup("4:memory:/old\n0::/new\n"), "/new");
}

TEST(Cgroup, UsesMemoryControllerIfUnifiedHierarchyIsRootOrMissing) {
  EXPECT_EQ(memory_cgroup("5:cpu,memory:/m\n2:cpuset:/c\n0::/\n"), "/m");
  EXPECT_EQ(memory_cgroup("4:memory:/m\n"), "/m");
}

TEST(Cgroup, MayBeTheRootOrMissing) {
  EXPECT_EQ(memory_cgroup("3:cpu:/c\n0::/\n"), "/");
  EXPECT_EQ(memory_cgroup("3:cpu:/c\n"), "");
  EXPECT_EQ(memory_cgroup(""), "");
}

}  // namespace
}  // namespace physmem::collect
