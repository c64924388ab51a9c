// SPDX-License-Identifier: MIT
// Which cgroup pays for frames, and which use them. tests/golden/cgroups.txt has a whole tree.
#include <gtest/gtest.h>

#include <string>

#include "analyzer/analyze/process/cgroup_uses.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

std::string header(const std::string& ram) {
  std::string text(kHeaderLine);
  text.insert(text.size() - 1, ram);
  return text;
}

/// A process of this cgroup with one page.
std::string process(int pid, const std::string& cgroup, const std::string& frame) {
  const std::string id = std::to_string(pid);
  return "T: a, " + id + ", 0000000" + id + ", 0, 0, 0, 0, 0, 0, 0, " + id +
         ", 100, 1, 0, 0, 0, 0, 0, " + cgroup +
         "\nV: 00500000, 00500FFF, 00001000, 00001000, 00000000, 00000003, NULL, 00000000, 00:00, "
         "0\nP: 1, 0, 0, 0, 1, 0\nM: 00500000=" +
         frame + ", 2, 0000086C |\n";
}

CgroupUses uses_of(const std::string& text) {
  CgroupUses uses;
  fold(text, {&uses});
  return uses;
}

const CgroupUse& group(const CgroupUses& uses, const std::string& path) {
  for (const CgroupUse& use : uses.groups())
    if (use.path == path) return use;
  ADD_FAILURE() << "no group " << path;
  return uses.groups().front();
}

TEST(CgroupUses, APageOfTwoGroupsHasOnePayer) {
  const CgroupUses uses =
      uses_of(header(", ram=all, ram_by=kcore") + process(1, "/s/a", "00005000") +
              process(2, "/s/b", "00005000") +
              "O: 1, cgroup, 7, online, /s/a\nR: 00000005, 1, file, 0, 1, 0000086C, 2, 00000000\n"
              "E: 2, 2, 2, 0, 0\n");
  ASSERT_TRUE(uses.is_known());
  EXPECT_EQ(group(uses, "/s/a").pays(), 1U);
  EXPECT_EQ(group(uses, "/s/a").used_by_itself, 1U);
  EXPECT_EQ(group(uses, "/s/a").paid_by_others, 0U);
  EXPECT_EQ(group(uses, "/s/b").pays(), 0U);
  EXPECT_EQ(group(uses, "/s/b").paid_by_others, 1U);
  EXPECT_EQ(group(uses, "/s").uses, 1U);
  EXPECT_EQ(group(uses, "/s").paid_by_others, 0U);
  const std::vector<CgroupFile> files = uses.files();
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].payer->path, "/s/a");
  EXPECT_EQ(files[0].by_others, 1U);
  EXPECT_EQ(files[0].users.size(), 2U);
}

TEST(CgroupUses, WithoutFramesOfRamOnlyUseIsKnown) {
  const CgroupUses uses = uses_of(header("") + process(1, "/a", "00005000") +
                                  process(2, "/a", "00005000") + "E: 2, 2, 2, 0, 0\n");
  EXPECT_FALSE(uses.is_known());
  EXPECT_TRUE(uses.knows_users());
  EXPECT_EQ(group(uses, "/a").uses, 1U);
  EXPECT_EQ(group(uses, "/a").processes, 2U);
}

TEST(CgroupUses, AProcessWithoutAGroupIsAnotherUser) {
  const CgroupUses uses =
      uses_of(header(", ram=all, ram_by=kcore") + process(1, "", "00005000") +
              "O: 1, cgroup, 7, online, /a\nR: 00000005, 1, anon, 0, 1, 0000086C, 1, 00000000\n"
              "E: 1, 1, 1, 0, 0\n");
  EXPECT_EQ(group(uses, "/a").used_by_others, 1U);
  EXPECT_EQ(group(uses, "/").used_by_others, 1U);
  EXPECT_EQ(group(uses, "/").uses, 0U);
}

TEST(CgroupUses, CountersAreOfTheGroupThatAChildNames) {
  const CgroupUses uses = uses_of(
      header(", ram=all, ram_by=kcore") +
      "O: 1, cgroup, 7, online, /s/a\nR: 00000005, 1, file, 0, 1, 00000068, 0, 00000000\n"
      "G: cgroup.7.parent=3, cgroup.7.limit_kB=8, cgroup.3.parent=1, cgroup.3.current_kB=12\n"
      "E: 0, 0, 0, 0, 0\n");
  EXPECT_EQ(group(uses, "/s/a").counters.limit_kib, 8U);
  EXPECT_EQ(group(uses, "/s").counters.current_kib, 12U);
  EXPECT_EQ(group(uses, "/s").counters.limit_kib, std::nullopt);
  EXPECT_EQ(group(uses, "/").counters.current_kib, std::nullopt);
  EXPECT_EQ(group(uses, "/s/a").unmapped, 1U);
}

TEST(CgroupUses, ADeletedGroupIsBelowTheNearestOneThatIsKnown) {
  const CgroupUses uses =
      uses_of(header(", ram=all, ram_by=kcore") +
              "O: 1, cgroup, 7, dying, /s/pod/c\nO: 2, cgroup, 8, online, /s\n"
              "R: 00000005, 1, file, 0, 1, 00000068, 0, 00000000\nE: 0, 0, 0, 0, 0\n");
  ASSERT_EQ(uses.groups().size(), 3U);
  EXPECT_EQ(uses.groups()[2].path, "/s/pod/c");
  EXPECT_TRUE(uses.groups()[2].is_deleted);
  EXPECT_EQ(uses.groups()[2].depth, 2U);
  EXPECT_EQ(group(uses, "/s").pays(), 1U);
}

}  // namespace
}  // namespace physmem
