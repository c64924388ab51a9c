// SPDX-License-Identifier: MIT
// Slab caches by frames and by the kernel's counts, in one snapshot and in a series.
#include "analyzer/analyze/ram/slab_use.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace physmem {
namespace {

using testing::ElementsAre;

Header header_at(std::uint64_t second, const char* host = "a") {
  Header header;
  header.ram = Header::Ram::kAll;
  header.host = host;
  header.time_ns = header.uptime_ns = second * 1'000'000'000;
  return header;
}

RamOwner cache(std::uint64_t id, const char* name) {
  RamOwner owner;
  owner.id = id;
  owner.kind = RamOwner::Kind::kSlab;
  owner.name = name;
  owner.object_bytes = 190;
  owner.objects_per_slab = 21;
  return owner;
}

void add_counters(SlabUse& slab, const std::vector<Counter>& counters) {
  slab.on_counters(counters);
}

/// A snapshot whose frames have the cache "dentry".
void add_framed(SlabUse& slab, const Header& header, std::uint64_t pages) {
  slab.on_header(header);
  slab.on_owner(cache(1, "dentry"));
  slab.on_ram({0, pages, PM_RAM_SLAB, 1, 0, 0, 0, 0});
}

std::vector<std::string> rows_of(const SlabUse& slab) {
  std::vector<std::string> rows;
  for (const SlabRow& row : slab.rows())
    rows.push_back(fmt::format("{} {} {}", row.cache.name, row.first, row.pages));
  return rows;
}

TEST(SlabUse, CountsFramesByCache) {
  SlabUse slab;
  slab.on_header(header_at(1));
  slab.on_owner(cache(1, "dentry"));
  slab.on_owner(cache(2, "my cache"));
  slab.on_ram({0, 3, PM_RAM_SLAB, 1, 0, 0, 0, 0});
  slab.on_ram({3, 9, PM_RAM_SLAB, 2, 0, 0, 0, 0});
  slab.on_ram({12, 4, PM_RAM_SLAB, 1, 0, 0, 0, 0});
  slab.on_ram({16, 2, PM_RAM_SLAB, 0, 0, 0, 0, 0});  // of an unknown cache
  slab.on_ram({18, 5, PM_RAM_LARGE_KMALLOC, 0, 0, 0, 0, 0});
  add_counters(slab, {{"slab.my_cache", 7}, {"slab.gone", 1}, {"slab_active.my_cache", 100}});
  EXPECT_EQ(slab.source(), SlabUse::Source::kFrames);
  EXPECT_THAT(rows_of(slab), ElementsAre("my cache 0 9", "dentry 0 7", " 0 2"));
  EXPECT_EQ(slab.rows()[0].cache.used_bytes(), 19000.0);
  EXPECT_EQ(slab.rows()[0].cache.per_slab(), 21u);
}

TEST(SlabUse, TakesTheCountsOfTheKernelIfFramesHaveNoCache) {
  SlabUse slab;
  slab.on_header(header_at(1));
  slab.on_ram({0, 3, PM_RAM_SLAB, 0, 0, 0, 0, 0});
  add_counters(slab, {{"slab.dentry", 40},
                      {"slab_slabs.dentry", 40},
                      {"slab_objects.dentry", 840},
                      {"slab_active.dentry", 420},
                      {"slab_object_bytes.dentry", 192}});
  EXPECT_EQ(slab.source(), SlabUse::Source::kTotals);
  EXPECT_THAT(rows_of(slab), ElementsAre("dentry 0 40"));
  const SlabCache cache = slab.rows()[0].cache;
  EXPECT_EQ(cache.per_slab(), 21u);
  EXPECT_EQ(cache.bytes(), 192u);
  EXPECT_EQ(cache.used_bytes(), 420.0 * 192);
}

TEST(SlabUse, HasNoUseOfObjectsWithoutTheirNumber) {
  SlabUse slab;
  add_framed(slab, header_at(1), 7);
  EXPECT_EQ(slab.rows()[0].cache.used_bytes(), std::nullopt);
  EXPECT_EQ(slab.rows()[0].cache.objects, std::nullopt);
}

TEST(SlabUse, ComparesTheFirstAndTheLastSnapshot) {
  SlabUse slab;
  slab.on_header(header_at(10));
  add_counters(slab, {{"slab.dentry", 40}, {"slab.gone", 3}});
  slab.on_header(header_at(20));
  add_counters(slab, {{"slab.dentry", 900}, {"slab.between", 1}});
  slab.on_header(header_at(40));
  add_counters(slab, {{"slab.dentry", 55}, {"slab.new", 2}});
  EXPECT_THAT(rows_of(slab), ElementsAre("dentry 40 55", "new 0 2", "gone 3 0"));
  EXPECT_EQ(slab.seconds(), 30.0);
  EXPECT_EQ(slab.order().snapshots(), 3u);
  EXPECT_FALSE(slab.is_mixed());
}

std::string history_of(const SlabUse& slab, std::size_t row) {
  std::string text;
  for (const SlabPoint& point : slab.history(slab.rows()[row]))
    text += fmt::format("{}:{} ", point.snapshot, point.pages);
  return text;
}

TEST(SlabUse, KeepsThePagesOfEachSnapshot) {
  SlabUse slab;
  for (const std::uint64_t second : {10, 20, 40}) {
    slab.on_header(header_at(second));
    add_counters(slab, {{"slab.dentry", second}});
    if (second != 20) add_counters(slab, {{"slab.a", 3}});
  }
  EXPECT_EQ(history_of(slab, 0), "0:10 1:20 2:40 ");
  EXPECT_EQ(history_of(slab, 1), "0:3 1:0 2:3 ");
  using Moment = std::pair<std::size_t, std::optional<double>>;
  EXPECT_THAT(slab.moments(), ElementsAre(Moment(0, 0), Moment(1, 10), Moment(2, 30)));
}

TEST(SlabUse, KeepsAPartOfALongSeries) {
  constexpr std::size_t kSnapshots = 10 * SlabUse::kMaxSnapshots + 2;
  SlabUse slab;
  for (std::size_t i = 0; i < kSnapshots; ++i) {
    slab.on_header(header_at(i + 1));
    add_counters(slab, {{"slab.dentry", i + 100}});
  }
  const auto points = slab.history(slab.rows()[0]);
  EXPECT_LE(points.size(), 2 * SlabUse::kMaxSnapshots);
  EXPECT_GE(points.size(), SlabUse::kMaxSnapshots);
  EXPECT_EQ(points.size(), slab.moments().size());
  for (const SlabPoint& point : points) EXPECT_EQ(point.pages, point.snapshot + 100);
  EXPECT_EQ(points.front().snapshot, 0U);
  EXPECT_EQ(points.back().snapshot, kSnapshots - 1);
}

TEST(SlabUse, LeavesOutSnapshotsOfOtherMachines) {
  SlabUse slab;
  add_framed(slab, header_at(10), 5);
  add_framed(slab, header_at(20, "b"), 500);
  add_framed(slab, header_at(30), 6);
  EXPECT_THAT(rows_of(slab), ElementsAre("dentry 5 6"));
  EXPECT_EQ(slab.seconds(), 20.0);
  EXPECT_EQ(slab.order().left_out(), 1u);
}

TEST(SlabUse, TellsSourcesThatDiffer) {
  SlabUse slab;
  add_framed(slab, header_at(10), 5);
  slab.on_header(header_at(20));
  add_counters(slab, {{"slab.dentry", 40}});
  EXPECT_TRUE(slab.is_mixed());
}

}  // namespace
}  // namespace physmem
