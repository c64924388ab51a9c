// SPDX-License-Identifier: MIT
// Files of /proc and /sys about the whole of RAM: zones, totals, slab, vmalloc, cgroups.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "collector-proc/ram/cgroup_totals.h"
#include "collector-proc/ram/cgroup_tree.h"
#include "collector-proc/ram/huge_page_policy.h"
#include "collector-proc/ram/kernel_lists.h"
#include "collector-proc/ram/memory_nodes.h"
#include "collector-proc/ram/mounts.h"
#include "collector-proc/ram/ram_totals.h"
#include "collector-proc/ram/sampled_totals.h"
#include "collector-proc/ram/zones.h"
#include "tests/unit/collector/fixture_tree.h"

namespace physmem::collect {
namespace {

using testing::ElementsAre;
using testing::Pair;

std::vector<std::pair<std::string, std::uint64_t>> pairs(const std::vector<Counter>& counters) {
  std::vector<std::pair<std::string, std::uint64_t>> all;
  for (const Counter& counter : counters) all.emplace_back(counter.name, counter.value);
  return all;
}

// Linux 6.18. Lines of the per-CPU lists are named high, high_min and count as well.
TEST(Zones, AreThoseOfZoneinfo) {
  const std::vector<MemoryZone> zones = parse_zoneinfo(R"(Node 0, zone      DMA
  per-node stats
      nr_inactive_anon 47469
  pages free     3840
        boost    0
        min      28
        low      35
        high     42
        promo    49
        spanned  4095
        present  3998
        managed  3840
        cma      0
        protection: (0, 3019, 9035, 9035, 9035)
      nr_free_pages 3840
  pagesets
    cpu: 0
              count:    7
              high:     9
              high_min: 17
    cpu: 1
              count:    5
  start_pfn:           1
Node 1, zone   Normal
  pages free     11
        min      12
        low      13
        high     14
        spanned  15
        present  16
        managed  17
  start_pfn:           4096
Node 1, zone  Movable
  pages free     0
        min      32
        spanned  0
        present  0
        managed  0
)");
  ASSERT_EQ(zones.size(), 2u);
  EXPECT_EQ(zones[0].node, 0u);
  EXPECT_EQ(zones[0].name, "DMA");
  EXPECT_EQ(zones[0].first_pfn, 1u);
  EXPECT_EQ(zones[0].spanned, 4095u);
  EXPECT_EQ(zones[0].present, 3998u);
  EXPECT_EQ(zones[0].managed, 3840u);
  EXPECT_EQ(zones[0].free, 3840u);
  EXPECT_EQ(zones[0].percpu_lists, 12u);
  EXPECT_EQ(zones[0].min, 28u);
  EXPECT_EQ(zones[0].low, 35u);
  EXPECT_EQ(zones[0].high, 42u);
  EXPECT_EQ(zones[1].node, 1u);
  EXPECT_EQ(zones[1].name, "Normal");
  EXPECT_EQ(zones[1].first_pfn, 4096u);
  EXPECT_EQ(zones[1].percpu_lists, 0u);
}

TEST(RamTotals, AreInPagesAndAddSecondaryPageTables) {
  std::vector<MemoryZone> zones(2);
  zones[0].free = 10;
  zones[0].percpu_lists = 3;
  zones[1].free = 5;
  EXPECT_THAT(
      pairs(ram_totals("MemTotal:       40 kB\nMemFree: 8 kB\nCached: 12 kB\n"
                       "SwapCached: 4 kB\nPageTables: 16 kB\nSecPageTables: 4 kB\n"
                       "HugePages_Total: 7\nHugetlb: 0 kB\nZswap: 20 kB\nZswapped: 60 kB\n",
                       "nr_free_pages 2\nnr_zspages 6\n", zones, kPageSize)),
      ElementsAre(Pair("total", 10), Pair("free", 2), Pair("cached", 3), Pair("swap_cached", 1),
                  Pair("page_tables", 5), Pair("hugetlb", 0), Pair("zswap", 5), Pair("zsmalloc", 6),
                  Pair("free_in_zones", 15), Pair("free_percpu", 3)));
}

TEST(RamTotals, HaveFreePagesByOrderOfAllZones) {
  EXPECT_THAT(pairs(free_orders("Node 0, zone      DMA      1      0      3 \n"
                                "Node 1, zone   Normal    172     10      1      2\n")),
              ElementsAre(Pair("free_order.0", 173u), Pair("free_order.1", 20u),
                          Pair("free_order.2", 16u), Pair("free_order.3", 16u)));
}

TEST(RamTotals, HavePagesAllocatedAndFreedSinceBoot) {
  EXPECT_THAT(pairs(ram_totals("",
                               "pgalloc_dma 1\npgalloc_normal 20\nallocstall_normal 7\n"
                               "pgalloc_movable 300\npgfree 250\n",
                               {}, 4096)),
              ElementsAre(Pair("allocated", 321u), Pair("freed", 250u), Pair("migrated", 0u),
                          Pair("free_in_zones", 0u), Pair("free_percpu", 0u)));
}

TEST(RamTotals, HavePagesThatWereMoved) {
  EXPECT_THAT(pairs(ram_totals("",
                               "pgfree 1\npgmigrate_success 20\npgmigrate_fail 3\n"
                               "compact_migrate_scanned 7\ncompact_isolated 500\n",
                               {}, 4096)),
              testing::Contains(Pair("migrated", 23u)));
}

TEST(SampledTotals, HaveTheMeanAndBothEnds) {
  SampledTotals totals;
  totals.add({{"a", 5}, {"b", 7}});
  totals.add({{"a", 9}, {"b", 7}});
  totals.add({{"a", 5}, {"b", 7}});
  EXPECT_THAT(pairs(totals.counters("ram")),
              ElementsAre(Pair("ram.mean.a", 6u), Pair("ram.low.a", 5u), Pair("ram.high.a", 9u),
                          Pair("ram.mean.b", 7u), Pair("ram.between_readings", 0u)));
  EXPECT_THAT(SampledTotals().counters("ram"), testing::IsEmpty());
}

TEST(SampledTotals, HaveThePagesThatCameAndWentBetweenTwoReadings) {
  SampledTotals totals;
  totals.add({{"allocated", 1000}, {"freed", 500}});
  totals.add({{"allocated", 1020}, {"freed", 507}});  // 7 came and went
  totals.add({{"allocated", 1021}, {"freed", 530}});  // 1 did
  EXPECT_THAT(pairs(totals.counters("ram")), testing::Contains(Pair("ram.between_readings", 7u)));
}

TEST(RamTotals, CountProcessors) {
  FixtureTree tree;
  tree.file("stat", "cpu  1 2 3\ncpu0 1 2 3\ncpu7 1 2 3\nintr 5\n");
  EXPECT_EQ(read_cpus(*ProcTree::open(tree.root())), 2u);
}

TEST(MemoryNodes, HaveProcessorsAndTiers) {
  FixtureTree tree;
  tree.file("devices/system/node/node0/cpulist", "0-2,8\n");
  tree.file("devices/system/node/node2/cpulist", "\n");
  tree.file("devices/system/node/nodes/cpulist", "1\n");
  tree.file("devices/system/node/has_cpu", "0\n");
  tree.file("devices/virtual/memory_tiering/memory_tier4/nodelist", "0\n");
  tree.file("devices/virtual/memory_tiering/memory_tier22/nodelist", "2-3\n");
  const UniqueFd sys = open_dir_at(AT_FDCWD, tree.root().c_str());
  EXPECT_THAT(pairs(read_memory_nodes(sys.get())),
              testing::UnorderedElementsAre(Pair("node.0.cpus", 4), Pair("node.2.cpus", 0),
                                            Pair("node.0.tier", 4), Pair("node.2.tier", 22),
                                            Pair("node.3.tier", 22)));
}

TEST(MemoryNodes, AreNotKnownToKernelsWithoutThem) {
  FixtureTree tree;
  const UniqueFd sys = open_dir_at(AT_FDCWD, tree.root().c_str());
  EXPECT_THAT(read_memory_nodes(sys.get()), testing::IsEmpty());
}

TEST(MemoryNodes, AreListsOfLimitedLength) {
  EXPECT_THAT(parse_id_list("3,5-6\n"), ElementsAre(3, 5, 6));
  EXPECT_THAT(parse_id_list("0-18446744073709551615"), testing::IsEmpty());
  EXPECT_THAT(parse_id_list("7-4,x"), testing::IsEmpty());
}

// A bind mount of a folder, and a subvolume of btrfs, do not show their file system from its root.
TEST(Mounts, AreTheFirstOfEachFileSystemThatShowItsRoot) {
  EXPECT_THAT(parse_mountinfo(R"(22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
23 22 254:1 / /again rw - ext4 /dev/vda1 rw
24 22 254:2 /folder /bound rw - ext4 /dev/vda2 rw
25 22 254:2 / /srv/my\040own\134files\0 rw - ext4 /dev/vda2 rw
26 22 0:5 /
27
)"),
              ElementsAre(Mount{254, 1, "/"}, Mount{254, 2, "/srv/my own\\files\\0"}));
}

TEST(CgroupTotals, AreThoseOfVersion2) {
  const CgroupTotals totals = parse_memory_stat(
      "anon 8192\nfile 12288\nkernel 5\npagetables 4096\nshmem 4096\n", false, 4096);
  EXPECT_EQ(totals.anon, 2u);
  EXPECT_EQ(totals.file, 3u);
  EXPECT_EQ(totals.shmem, 1u);
  EXPECT_EQ(totals.page_tables, 1u);
}

TEST(CgroupTotals, AreThoseOfVersion1WithGroupsBelow) {
  const CgroupTotals totals = parse_memory_stat(
      "cache 4096\nrss 4096\nshmem 0\npgpgin 1\ntotal_cache 12288\ntotal_rss 8192\n"
      "total_shmem 4096\ntotal_pgpgin 30\ntotal_pgpgout 25\n",
      true, 4096);
  EXPECT_EQ(totals.activity, 55u);
  EXPECT_EQ(totals.anon, 2u);
  EXPECT_EQ(totals.file, 3u);
  EXPECT_EQ(totals.shmem, 1u);
  EXPECT_EQ(totals.page_tables, std::nullopt);
}

// The root's memory.stat counts all of the system.
TEST(CgroupTotals, AreOfEachGroupButTheRoot) {
  FixtureTree tree;
  const std::string root = "fs/cgroup";
  tree.file(root + "/memory.stat", "anon 409600\n");
  tree.file(root + "/a/memory.stat", "anon 8192\n");
  tree.file(root + "/a/cpu.stat", "usage_usec 470\nuser_usec 300\n");
  tree.file(root + "/a/b/memory.stat", "anon 4096\n");
  const auto id_of = [&](const std::string& path) {
    struct stat status {};
    EXPECT_EQ(::stat((tree.root() + "/" + path).c_str(), &status), 0);
    return std::to_string(status.st_ino);
  };
  const UniqueFd sys = open_dir_at(AT_FDCWD, tree.root().c_str());
  const std::string a = id_of(root + "/a");
  const std::string b = id_of(root + "/a/b");
  EXPECT_THAT(pairs(read_cgroup_totals(sys.get(), "before", 4096)),
              ElementsAre(Pair("cgroup." + a + ".parent", std::stoull(id_of(root))),
                          Pair("cgroup." + a + ".before.anon", 2u),
                          Pair("cgroup." + a + ".before.activity", 470u),
                          Pair("cgroup." + b + ".parent", std::stoull(a)),
                          Pair("cgroup." + b + ".before.anon", 1u)));
  EXPECT_THAT(pairs(read_cgroup_totals(sys.get(), "after", 4096)),
              ElementsAre(Pair("cgroup." + a + ".after.anon", 2u),
                          Pair("cgroup." + a + ".after.activity", 470u),
                          Pair("cgroup." + b + ".after.anon", 1u)));
}

TEST(CgroupTotals, HaveLimitsAndStallsOfEachGroup) {
  FixtureTree tree;
  tree.file("fs/cgroup/a/memory.max", "1048576\n");
  tree.file("fs/cgroup/a/memory.high", "max\n");
  tree.file("fs/cgroup/a/memory.stat", "slab_reclaimable 4096\nslab 8192\n");
  tree.file("fs/cgroup/a/memory.events", "low 0\nhigh 3\nmax 4\noom 2\noom_kill 1\n");
  tree.file("fs/cgroup/a/memory.pressure",
            "some avg10=0.00 avg60=0.00 avg300=0.00 total=77\n"
            "full avg10=0.00 avg60=0.00 avg300=0.00 total=5\n");
  const auto id_of = [&](const std::string& path) {
    struct stat status {};
    EXPECT_EQ(::stat((tree.root() + "/" + path).c_str(), &status), 0);
    return status.st_ino;
  };
  const UniqueFd sys = open_dir_at(AT_FDCWD, tree.root().c_str());
  const std::string a = "cgroup." + std::to_string(id_of("fs/cgroup/a")) + ".";
  EXPECT_THAT(
      pairs(read_cgroup_states(sys.get())),
      ElementsAre(Pair(a + "parent", id_of("fs/cgroup")), Pair(a + "limit_kB", 1024u),
                  Pair(a + "slab_kB", 8u), Pair(a + "slab_reclaimable_kB", 4u),
                  Pair(a + "high_events", 3u), Pair(a + "limit_events", 4u),
                  Pair(a + "oom_kills", 1u), Pair(a + "some_us", 77u), Pair(a + "full_us", 5u)));
}

TEST(CgroupTotals, HaveNoLimitThatVersion1DoesNotSet) {
  FixtureTree tree;
  tree.file("fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
  tree.file("fs/cgroup/memory/a/memory.usage_in_bytes", "8192\n");
  const UniqueFd sys = open_dir_at(AT_FDCWD, tree.root().c_str());
  const std::vector<Counter> states = read_cgroup_states(sys.get());
  ASSERT_EQ(states.size(), 2u);
  EXPECT_TRUE(states[0].name.ends_with(".parent"));
  EXPECT_TRUE(states[1].name.ends_with(".current_kB"));
  EXPECT_EQ(states[1].value, 8u);
}

TEST(KernelLists, HavePagesSlabsAndObjectsOfEachSlabCache) {
  EXPECT_THAT(
      pairs(parse_slabinfo(
          "slabinfo - version: 2.1\n"
          "# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : "
          "tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> "
          "<sharedavail>\n"
          "bio-312               11     12    320   12    1 : tunables    0    0    0 : slabdata  "
          "    1      1      0\n"
          "empty                  0      0    320   12    1 : tunables    0    0    0 : slabdata  "
          "    0      0      0\n"
          "a,b=c|d             1000   1008   2048   16    8 : tunables    0    0    0 : slabdata  "
          "   60     63      0\n",
          [](std::string_view cache) { return cache == "a,b=c|d"; })),
      ElementsAre(Pair("slab.bio-312", 1), Pair("slab_slabs.bio-312", 1),
                  Pair("slab_objects.bio-312", 12), Pair("slab_active.bio-312", 11),
                  Pair("slab_object_bytes.bio-312", 320), Pair("slab.a_b_c_d", 504),
                  Pair("slab_slabs.a_b_c_d", 63), Pair("slab_objects.a_b_c_d", 1008),
                  Pair("slab_active.a_b_c_d", 1000), Pair("slab_object_bytes.a_b_c_d", 2048),
                  Pair("slab_reclaimable.a_b_c_d", 1)));
}

TEST(KernelLists, HaveSlabCachesThatTheKernelCanReclaim) {
  FixtureTree proc;
  FixtureTree sys;
  std::string slabinfo = "slabinfo - version: 2.1\n";
  for (const std::string name : {"dentry", "sigqueue", "a/b", "no_folder"})
    slabinfo += name + " 11 12 320 12 1 : tunables 0 0 0 : slabdata 1 1 0\n";
  proc.file("slabinfo", slabinfo);
  sys.file("kernel/slab/:a-0000192/reclaim_account", "1\n");
  sys.link("kernel/slab/dentry", ":a-0000192");
  sys.file("kernel/slab/sigqueue/reclaim_account", "0\n");
  sys.file("kernel/slab/a!b/reclaim_account", "1\n");
  auto tree = ProcTree::open(proc.root());
  ASSERT_TRUE(tree);
  const UniqueFd fd = open_dir_at(AT_FDCWD, sys.root().c_str());
  std::vector<std::string> reclaimable;
  for (const Counter& counter : read_kernel_lists(*tree, fd.get()))
    if (counter.name.starts_with("slab_reclaimable.")) reclaimable.push_back(counter.name);
  EXPECT_THAT(reclaimable, ElementsAre("slab_reclaimable.dentry", "slab_reclaimable.a/b"));
}

// Stacks are allocated by dup_task_struct() in 5.10; in 6.18 it is a part of kernel_clone().
TEST(KernelLists, HavePagesOfVmallocByCallerAndStacksAsOne) {
  EXPECT_THAT(
      pairs(parse_vmallocinfo(
          "0x0000-0x1111   20480 irq_init_percpu_irqstack+0xca/0x100 vmap\n"
          "0x1111-0x2222    8192 acpi_os_map_iomem+0x1bc/0x1e0 phys=0x00000000000a0000 ioremap\n"
          "0x2222-0x3333   20480 kernel_clone+0x94/0x3e0 pages=4 vmalloc N0=4\n"
          "0x3333-0x4444   20480 dup_task_struct+0x5b/0x1b0 pages=4 vmalloc N0=4\n"
          "0x4444-0x5555   20480 load_module+0x9d5/0x1 pages=7 vmalloc N0=7\n"
          "0x5555-0x6666   12288 load_module+0x9d5/0x1 pages=2 vmalloc vpages N0=2\n"
          "0x6666-0x7777    8192 unpurged vm_area\n")),
      ElementsAre(Pair("vmalloc.kernel_stack", 8), Pair("vmalloc.load_module+0x9d5/0x1", 9)));
}

class CgroupNamesTest : public testing::Test {
 protected:
  std::uint64_t inode(const std::string& path) const {
    struct stat status {};
    EXPECT_EQ(::stat((tree_.root() + "/" + path).c_str(), &status), 0) << path;
    return status.st_ino;
  }
  std::optional<std::string> name_of(std::uint64_t id) {
    const UniqueFd sys = open_dir_at(AT_FDCWD, tree_.root().c_str());
    CgroupNames names(sys.get());
    return names.path(id);
  }
  FixtureTree tree_;
};

TEST_F(CgroupNamesTest, AreThePathsOfFoldersByInode) {
  tree_.file("fs/cgroup/system.slice/a.service/memory.stat", "");
  EXPECT_EQ(name_of(inode("fs/cgroup")), "/");
  EXPECT_EQ(name_of(inode("fs/cgroup/system.slice/a.service")), "/system.slice/a.service");
  EXPECT_EQ(name_of(0), std::nullopt);
}

TEST_F(CgroupNamesTest, AreThoseOfTheMemoryControllerInVersion1) {
  tree_.file("fs/cgroup/memory/b/memory.stat", "");
  tree_.file("fs/cgroup/cpu/c/cpu.stat", "");
  EXPECT_EQ(name_of(inode("fs/cgroup/memory/b")), "/b");
  EXPECT_EQ(name_of(inode("fs/cgroup/cpu/c")), std::nullopt);
}

TEST_F(CgroupNamesTest, AreMissingWithoutCgroups) {
  EXPECT_EQ(name_of(1), std::nullopt);
}

TEST(HugePagePolicy, IsTheChosenWordOfEachFile) {
  EXPECT_EQ(chosen_word("always [madvise] never\n"), "madvise");
  EXPECT_EQ(chosen_word("always madvise"), "");
  EXPECT_EQ(chosen_word("] ["), "");
  FixtureTree tree;
  const std::string folder = "kernel/mm/transparent_hugepage/";
  tree.file(folder + "enabled", "always [madvise] never\n");
  tree.file(folder + "defrag", "always defer [defer+madvise] madvise never\n");
  tree.file(folder + "hpage_pmd_size", "2097152\n");
  tree.file(folder + "hugepages-64kB/enabled", "[always] inherit madvise never\n");
  tree.file(folder + "hugepages-2048kB/enabled", "always [inherit] madvise never\n");
  const UniqueFd sys = open_dir_at(AT_FDCWD, tree.root().c_str());
  std::vector<std::string> found;
  for (const Counter& counter : read_huge_page_policy(sys.get()))
    found.push_back(counter.name + "=" + std::to_string(counter.value));
  EXPECT_THAT(found, testing::ElementsAre("thp.enabled=1", "thp.defrag=2", "thp.64kB.enabled=2",
                                          "thp.2048kB.enabled=3"));
}

}  // namespace
}  // namespace physmem::collect
