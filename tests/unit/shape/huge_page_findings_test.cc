// SPDX-License-Identifier: MIT
// Each rule in a case in which it is true, and in one next to its threshold in which it is silent.
#include "analyzer/shape/huge_page_findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace physmem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A machine with 1 GiB of anonymous memory, none of it huge, and free memory of all sizes.
class HugePageFindingsTest : public testing::Test {
 protected:
  std::map<std::string, std::uint64_t> counters{{"thp.enabled", 2},
                                                {"thp.defrag", 1},
                                                {"mem.AnonPages_kB", 1 << 20},
                                                {"mem.AnonHugePages_kB", 0},
                                                {"mem.Hugepagesize_kB", 2048},
                                                {"vm.thp_fault_alloc", 1000},
                                                {"vm.thp_fault_fallback", 0}};
  bool has_large_blocks = true;

  void run() {
    facts.on_header({});
    std::vector<Counter> all;
    for (const auto& [name, value] : counters) all.push_back({name, value});
    facts.on_counters(all);
    blocks = PageBlocks();
    Header header;
    header.page_size = PageSize{4096};
    header.ram = Header::Ram::kAll;
    header.arch = "x86_64";
    blocks.on_header(header);
    Zone zone;
    zone.name = "Normal";
    zone.spanned = zone.present = zone.managed = 1024;
    blocks.on_zone(zone);
    if (has_large_blocks) blocks.on_ram(frames(0, 512, PM_RAM_FREE, 9));
    blocks.on_ram(frames(512, 1, PM_RAM_FREE, 0));
    blocks.on_ram(frames(513, 511, PM_RAM_SLAB, 0));
    blocks.on_end();
  }
  static RamRun frames(std::uint64_t first, std::uint64_t pages, FrameClass use,
                       std::uint64_t order) {
    RamRun run;
    run.first_pfn = first;
    run.pages = pages;
    run.use = use;
    run.place = order;
    return run;
  }
  std::vector<std::string> names() {
    run();
    std::vector<std::string> names;
    for (const Finding& finding : findings_of_huge_pages(facts, blocks))
      names.emplace_back(finding.name);
    return names;
  }
  std::string text() {
    run();
    return fmt::format("{}", fmt::join(huge_page_lines(facts, blocks), "\n"));
  }

  HugePageFacts facts;
  PageBlocks blocks;
};

TEST_F(HugePageFindingsTest, AreSilentIfNothingIsInTheWay) {
  EXPECT_THAT(names(), IsEmpty());
  EXPECT_EQ(
      text(),
      "Huge pages are rare (0 KiB of 1.0 GiB of anonymous memory); no rule and no counter of the "
      "kernel says why");
}

TEST_F(HugePageFindingsTest, AreSilentIfHugePagesAreNotRare) {
  counters["thp.enabled"] = 0;
  counters["mem.AnonHugePages_kB"] = (1 << 20) / 4;
  EXPECT_THAT(names(), IsEmpty());
  EXPECT_EQ(text(), "Huge pages: 256.0 MiB of 1.0 GiB of anonymous memory");
  counters["mem.AnonHugePages_kB"] = (1 << 20) / 6;
  EXPECT_THAT(names(), ElementsAre("thp-never"));
}

TEST_F(HugePageFindingsTest, DoNotJudgeLittleMemory) {
  counters["thp.enabled"] = 0;
  counters["mem.AnonPages_kB"] = 16 * 2048 - 1;
  EXPECT_THAT(names(), IsEmpty());
  EXPECT_EQ(text(), "Huge pages: too little anonymous memory (32.0 MiB) to judge");
}

TEST_F(HugePageFindingsTest, NameARuleThatForbidsThem) {
  counters["thp.enabled"] = 0;
  EXPECT_THAT(names(), ElementsAre("thp-never"));
  EXPECT_THAT(text(), HasSubstr("because transparent huge pages are off (enabled: never)\n"
                                "  what may help: echo madvise > /sys/kernel/mm/"));
  counters["thp.64kB.enabled"] = 2;
  EXPECT_THAT(names(), ElementsAre("thp-never")) << "a smaller size is not counted as huge";
  counters["thp.2048kB.enabled"] = 2;
  EXPECT_THAT(names(), IsEmpty()) << "the size has a rule of its own";
  counters["thp.2048kB.enabled"] = 3;
  EXPECT_THAT(names(), ElementsAre("thp-never")) << "as the rule of all";
  counters["thp.enabled"] = 2;
  counters["thp.2048kB.enabled"] = 0;
  EXPECT_THAT(text(), HasSubstr("transparent_hugepage/hugepages-2048kB/enabled\n"));
}

TEST_F(HugePageFindingsTest, SayThatTheyAreForThoseThatAsk) {
  counters["thp.enabled"] = 1;
  EXPECT_THAT(names(), ElementsAre("thp-madvise"));
  EXPECT_THAT(text(),
              HasSubstr("probably because transparent huge pages are for programs that ask "
                        "(enabled: madvise): since boot 1000 page faults asked for one, and "
                        "1000 got one\n"));
  counters["vm.thp_fault_fallback"] = 999;
  EXPECT_THAT(names(), ElementsAre("thp-madvise"));
  counters["vm.thp_fault_fallback"] = 1000;
  EXPECT_THAT(names(), IsEmpty()) << "half of those that ask get none";
}

TEST_F(HugePageFindingsTest, NameLimitsOfCgroups) {
  counters["vm.thp_fault_alloc"] = 500;
  counters["vm.thp_fault_fallback"] = 500;
  counters["vm.thp_fault_fallback_charge"] = 499;
  EXPECT_THAT(names(), IsEmpty());
  counters["vm.thp_fault_fallback_charge"] = 500;
  EXPECT_THAT(names(), ElementsAre("thp-cgroup-limit"));
  EXPECT_THAT(text(), HasSubstr("500 of 1000 page faults that asked for one were refused"));
}

TEST_F(HugePageFindingsTest, NameZonesWithoutALargeBlockAndWhatIsInTheWay) {
  EXPECT_THAT(names(), IsEmpty());
  has_large_blocks = false;
  EXPECT_THAT(names(), ElementsAre("thp-fragmented"));
  EXPECT_THAT(text(), HasSubstr("because no free block is large enough in zone Normal; in 1 of 1 "
                                "blocks only slab caches are in the way\n"));
}

TEST_F(HugePageFindingsTest, NamePageFaultsThatMayNotMakeRoom) {
  counters["thp.defrag"] = 0;
  counters["vm.thp_fault_fallback"] = 999;
  EXPECT_THAT(names(), IsEmpty());
  counters["vm.thp_fault_fallback"] = 1000;
  EXPECT_THAT(names(), ElementsAre("thp-no-defrag"));
  EXPECT_THAT(text(), HasSubstr(", probably because page faults may not make room for them "
                                "(defrag: never): 1000 of 2000 got small pages\n"));
  counters["thp.defrag"] = 1;
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(HugePageFindingsTest, SayNothingOfASnapshotWithoutTheRules) {
  counters.erase("thp.enabled");
  EXPECT_EQ(text(), "");
}

}  // namespace
}  // namespace physmem
