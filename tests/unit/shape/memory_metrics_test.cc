// SPDX-License-Identifier: MIT
// Metrics of one snapshot.
#include "analyzer/shape/memory_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A process of a group with `pages` pages, of which each is mapped `mappings` times.
Process user(const std::string& name, const std::string& cgroup, std::uint64_t pages,
             std::uint64_t mappings) {
  Process process;
  process.task.comm = name;
  process.task.group = TaskGroup{0, 0, 0, 0, cgroup};
  Area& area = process.areas.emplace_back();
  area.tally.anon = {
      pages, mappings == 1 ? pages : 0, 0, {pages * PageShare::of(mappings).scaled}, 0};
  return process;
}

class MemoryMetrics : public testing::Test {
 protected:
  MemoryMetrics() {
    header_.page_size.bytes = 4096;
    header_.time_ns = 1500000000;
    header_.kernel = "6.1.0";
    header_.count = Header::Count::kMapcount;
    for (MemoryUses* const uses : {&names_, &cgroups_, &units_}) uses->on_header(header_);
  }

  void add(const Process& process) {
    for (MemoryUses* const uses : {&names_, &cgroups_, &units_}) uses->on_process(process);
  }
  std::vector<std::string> lines(const std::string& family, std::size_t top = 20,
                                 Level level = Level::kUnknown) {
    std::vector<std::string> lines;
    for (MemoryUses* const uses : {&names_, &cgroups_, &units_}) uses->on_end();
    for (const MetricFamily& metric : memory_metrics(
             {names_, cgroups_, units_, alerts_, ledger_, totals_, cost_, level}, header_, top)) {
      EXPECT_FALSE(metric.is_counter);
      EXPECT_FALSE(metric.samples.empty()) << metric.name;
      EXPECT_TRUE(metric.unit.empty() || metric.name.ends_with("_" + metric.unit)) << metric.name;
      if (metric.name != family) continue;
      for (const MetricSample& sample : metric.samples) {
        std::string line;
        for (const auto& [label, value] : sample.labels) line += label + "=" + value + " ";
        std::visit([&](auto value) { line += std::to_string(value); }, sample.value);
        lines.push_back(line);
      }
    }
    return lines;
  }

  Header header_;
  MemoryUses names_{UseGrouping::kName};
  MemoryUses cgroups_{UseGrouping::kCgroup};
  MemoryUses units_{UseGrouping::kUnit};
  Alerts alerts_;
  Ledger ledger_;
  MemoryTotals totals_;
  CollectionCost cost_;
};

TEST_F(MemoryMetrics, HaveThePartsOfRamByTheKernelsTotals) {
  EXPECT_THAT(lines("physmem_memory_part_bytes"), testing::IsEmpty());
  totals_.on_counters(std::vector<Counter>{{"mem.MemTotal_kB", 100},
                                           {"mem.MemFree_kB", 50},
                                           {"mem.MemAvailable_kB", 60},
                                           {"mem.AnonPages_kB", 30},
                                           {"mem.Slab_kB", 5}});
  EXPECT_THAT(lines("physmem_memory_part_bytes"),
              ElementsAre("part=anonymous 30720", "part=shared memory 0", "part=file cache 0",
                          "part=kernel 5120", "part=other 15360", "part=free 51200"));
  EXPECT_THAT(lines("physmem_memory_available_bytes"), ElementsAre("61440"));
}

TEST_F(MemoryMetrics, KeepsLargestNamesAndAddsUpTheRest) {
  add(user("small", "/a", 1, 1));
  add(user("large", "/b", 9, 3));
  add(user("large", "/a", 2, 1));
  add(user("middle", "/a", 2, 1));
  add(user("tiny", "/a", 1, 2));
  EXPECT_THAT(lines("physmem_process_pss_bytes", 2),
              ElementsAre("command=large 20480", "command=middle 8192", "command=other 6144"));
  EXPECT_THAT(lines("physmem_process_exclusive_bytes", 2),
              ElementsAre("command=large 8192", "command=middle 8192"))
      << "what others have alone cannot be added up";
  EXPECT_THAT(lines("physmem_process_rss_bytes", 2),
              ElementsAre("command=large 45056", "command=middle 8192", "command=other 8192"));
  EXPECT_THAT(lines("physmem_cgroup_pss_bytes"),
              ElementsAre("cgroup=/a 22528", "cgroup=/b 12288", "cgroup=other 0"));
  EXPECT_THAT(lines("physmem_file_pss_bytes"), ElementsAre("file=[anon] 34816", "file=other 0"));
}

TEST_F(MemoryMetrics, HasOneSeriesForNamesThatLookLikeTheRest) {
  add(user("other", "", 5, 1));
  add(user("", "", 4, 1));
  add(user("unknown", "unknown", 3, 1));
  EXPECT_THAT(lines("physmem_process_rss_bytes", 5),
              ElementsAre("command=unknown 28672", "command=other 20480"));
  EXPECT_THAT(lines("physmem_cgroup_rss_bytes", 5),
              ElementsAre("cgroup=unknown 49152", "cgroup=other 0"));
}

TEST_F(MemoryMetrics, LeavesOutWhatTheSnapshotLacks) {
  Process process = user("counts", "/", 5, 1);
  process.areas.front().tally.has_unlisted = true;
  add(process);
  EXPECT_THAT(lines("physmem_process_pss_bytes"), IsEmpty());
  EXPECT_THAT(lines("physmem_process_exclusive_bytes"), ElementsAre("command=counts 20480"));
  EXPECT_THAT(lines("physmem_process_rss_bytes"),
              ElementsAre("command=counts 20480", "command=other 0"));
  EXPECT_THAT(lines("physmem_thrash_level"), IsEmpty());
  EXPECT_THAT(lines("physmem_collect_seconds"), IsEmpty());
  EXPECT_THAT(lines("physmem_ram_class_bytes"), IsEmpty());
  header_.has_areas = false;
  EXPECT_THAT(lines("physmem_process_rss_bytes"), IsEmpty());
}

TEST_F(MemoryMetrics, HasCostTimeAndThrashLevel) {
  cost_.on_counters(
      std::array{Counter{"collect.wall_us", 250000}, Counter{"collect.cpu_us", 1500}});
  EXPECT_THAT(lines("physmem_collect_seconds"), ElementsAre("0.250000"));
  EXPECT_THAT(lines("physmem_collect_cpu_seconds"), ElementsAre("0.001500"));
  EXPECT_THAT(lines("physmem_snapshot_time_seconds"), ElementsAre("1.500000"));
  EXPECT_THAT(lines("physmem_snapshot_info"), ElementsAre("kernel=6.1.0 1"));
  EXPECT_THAT(lines("physmem_thrash_level", 20, Level::kIdle), ElementsAre("0.000000"));
  EXPECT_THAT(lines("physmem_thrash_level", 20, Level::kRecovering), ElementsAre("1.500000"));
  EXPECT_THAT(lines("physmem_thrash_level", 20, Level::kCritical), ElementsAre("5.000000"));
}

}  // namespace
}  // namespace physmem
