// SPDX-License-Identifier: MIT
#include "collector-proc/counters_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/collector/fixture_tree.h"

namespace physmem::collect {
namespace {

using testing::ElementsAre;

TEST(Counters, ReadsPagingCountersOfVmstat) {
  std::vector<Counter> counters;
  parse_vmstat(
      "nr_free_pages 5\nnr_dirty 1\npgfault 7\npgmajfault 8\nallocstall_normal 9\nbroken\n",
      counters);
  EXPECT_THAT(lines_of(counters), ElementsAre("vm.nr_free_pages=5", "vm.pgfault=7",
                                              "vm.pgmajfault=8", "vm.allocstall_normal=9"));
}

TEST(Counters, ReadsVmstatScansByReason) {
  std::vector<Counter> counters;
  parse_vmstat(
      "pgscan_kswapd 1\npgscan_direct 2\npgscan_khugepaged 3\npgscan_proactive "
      "4\npgscan_direct_throttle 5\npgscan_anon 11\npgscan_file 12\n"
      "workingset_refault 6\nworkingset_refault_anon 7\nworkingset_restore "
      "8\nworkingset_restore_file 9\n"
      "workingset_nodereclaim 10\n",
      counters);
  EXPECT_THAT(lines_of(counters),
              ElementsAre("vm.pgscan_kswapd=1", "vm.pgscan_direct=2", "vm.pgscan_khugepaged=3",
                          "vm.pgscan_proactive=4", "vm.pgscan_anon=11", "vm.pgscan_file=12",
                          "vm.workingset_refault=6", "vm.workingset_refault_anon=7",
                          "vm.workingset_restore=8", "vm.workingset_restore_file=9"));
}

TEST(Counters, ReadsMeminfoValuesInKilobytes) {
  std::vector<Counter> counters;
  parse_meminfo(
      "MemTotal:       24682416 kB\nActive(anon):  12 kB\nHugePages_Total:  3\nAnon Huge Pages: 1 "
      "kB\n",
      counters);
  EXPECT_THAT(lines_of(counters), ElementsAre("mem.MemTotal_kB=24682416", "mem.Active_anon_kB=12",
                                              "mem.Anon_Huge_Pages_kB=1"));
}

TEST(Counters, ReadsTotalsOfPressure) {
  std::vector<Counter> counters;
  parse_pressure("some avg10=0.00 avg60=0.00 avg300=0.00 total=123\nfull avg10=0.00 total=45\n",
                 "psi.memory.", counters);
  EXPECT_THAT(lines_of(counters), ElementsAre("psi.memory.some_us=123", "psi.memory.full_us=45"));
}

TEST(Counters, AddsUpWhatZramHolds) {
  std::vector<Counter> counters;
  parse_swaps(
      "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
      "/dev/zram0                              partition\t1048572\t\t80000\t\t100\n"
      "/swap\\040file                           file\t\t1048572\t\t5\t\t-2\n"
      "/dev/zram1                              partition\t1048572\t\t3\t\t100\n"
      "/dev/zram2\n",
      counters);
  EXPECT_THAT(lines_of(counters), ElementsAre("swap.zram_used_kB=80003"));
}

TEST(Counters, CountsSwapDevices) {
  EXPECT_EQ(count_swap_devices(""), 0u);
  EXPECT_EQ(count_swap_devices("Filename\tType\n"), 0u);
  EXPECT_EQ(count_swap_devices("Filename\tType\n/dev/a\n/dev/b\n"), 2u);
}

}  // namespace
}  // namespace physmem::collect
