// SPDX-License-Identifier: MIT
// Frames by node, zone and memory tier.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/analyze/ledger.h"
#include "analyzer/analyze/ram_split.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using testing::ElementsAre;
using By = RamSelection::By;

// Node 0 with two zones, node 1 inside of its Normal zone; frame 900 is outside of all.
constexpr std::string_view kNodes =
    R"(G: node.0.tier=4, node.1.tier=7
Z: 0, DMA32, 00000000, 100, 100, 100, 0, 0, 1, 2, 3
Z: 0, Normal, 00000064, 400, 300, 300, 0, 0, 1, 2, 3
Z: 1, Normal, 000000C8, 100, 100, 100, 0, 0, 1, 2, 3
G: ram.before.slab=300, ram.after.slab=300
O: 1, file, ext4, FE:01, 10, 4096000, 1, -, /x
R: 00000000, 500, file, 1, 0, 00000068, 0, 00000010
R: 000001F4, 100, hole, 0, 0, 00000000, 0, 00000000
R: 00000384, 5, anon, 0, 0, 00005028, 0, 00000000
)";

RamSplit<Ledger> split_of(std::string_view records, RamSelection selection) {
  constexpr std::string_view kEnd = "E: 2, 2, 3, 1, 0";
  RamSplit<Ledger> split(std::move(selection));
  fold(with(with(kSample, "pages=all,", "pages=all, ram=all, ram_by=kcore,"), kEnd,
            std::string(records) + std::string(kEnd)),
       {&split});
  return split;
}

std::vector<std::string> frames(const RamSplit<Ledger>& split) {
  std::vector<std::string> rows;
  for (std::size_t group = 0; group < split.folds().size(); ++group)
    rows.push_back(split.groups().name(group) + ": " +
                   std::to_string(split.folds()[group].frames()));
  return rows;
}

TEST(RamSplit, IsOneFoldWithoutSelection) {
  const RamSplit<Ledger> split = split_of(kNodes, {});
  ASSERT_EQ(split.folds().size(), 1u);
  EXPECT_EQ(split.front().frames(), 505u);
  EXPECT_TRUE(split.front().total("slab"));
}

TEST(RamSplit, CutsRunsAtZones) {
  EXPECT_THAT(frames(split_of(kNodes, {.by = By::kNode})),
              ElementsAre("0: 400", "1: 100", "none: 5"));
  EXPECT_THAT(frames(split_of(kNodes, {.by = By::kZone})),
              ElementsAre("0 DMA32: 100", "0 Normal: 300", "1 Normal: 100", "none: 5"));
  EXPECT_THAT(frames(split_of(kNodes, {.by = By::kTier})),
              ElementsAre("4: 400", "7: 100", "none: 5"));
}

// physmem-collect writes the tiers after the zones.
TEST(RamSplit, KnowsTiersThatFollowTheZones) {
  std::string records = with(kNodes, "G: node.0.tier=4, node.1.tier=7\n", "");
  records = with(records, "G: ram.before", "G: node.0.tier=4, node.1.tier=7\nG: ram.before");
  EXPECT_THAT(frames(split_of(records, {.by = By::kTier})),
              ElementsAre("4: 400", "7: 100", "none: 5"));
  const RamSplit<Ledger> split = split_of(records, {.tiers = {7}});
  EXPECT_EQ(split.front().frames(), 100u);
  EXPECT_EQ(split.front().zones().size(), 1u);
}

TEST(RamSplit, IsOneGroupWithoutZones) {
  const RamSplit<Ledger> split = split_of("", {.by = By::kNode});
  ASSERT_EQ(split.folds().size(), 1u);
  EXPECT_EQ(split.groups().name(0), "none");
  EXPECT_EQ(split_of("", {.nodes = {0}}).groups().problem(),
            "no frame is selected: the snapshot has no zones");
}

TEST(RamSplit, SelectsZones) {
  const RamSplit<Ledger> split = split_of(kNodes, {.nodes = {0}, .zones = {"Normal"}});
  EXPECT_EQ(split.front().frames(), 300u);
  EXPECT_EQ(split.groups().selected(), "node 0; zone Normal");
  EXPECT_EQ(split_of(kNodes, {.tiers = {7}}).front().frames(), 100u);
}

TEST(RamSplit, HasNoTotalsOfTheWholeMachine) {
  EXPECT_FALSE(split_of(kNodes, {.nodes = {0}}).front().total("slab"));
}

TEST(RamSplit, KnowsOwnersInEachGroup) {
  for (const Ledger& ledger : split_of(kNodes, {.by = By::kNode}).folds()) {
    ASSERT_EQ(ledger.owners().size(), 1u);
    EXPECT_EQ(ledger.owners()[0].pages, ledger.of(PM_RAM_FILE));
  }
}

TEST(RamSplit, ContinuesThePlaceInAFile) {
  struct Places : Analysis {
    std::vector<std::uint64_t> places;
    void on_ram(const RamRun& run) override { places.push_back(run.place); }
  };
  constexpr std::string_view kEnd = "E: 2, 2, 3, 1, 0";
  RamSplit<Places> split({.by = By::kNode});
  fold(with(with(kSample, "pages=all,", "pages=all, ram=all, ram_by=kcore,"), kEnd,
            std::string(kNodes) + std::string(kEnd)),
       {&split});
  EXPECT_THAT(split.folds()[1].places, ElementsAre(0x10u + 200u));
}

TEST(RamSplit, SaysWhatThereIsIfNothingIsSelected) {
  EXPECT_EQ(split_of(kNodes, {.nodes = {3}}).groups().problem(),
            "no frame is of node 3: the snapshot has node 0, 1, zone DMA32, Normal, tier 4, 7");
  EXPECT_EQ(split_of(kNodes, {.nodes = {1}}).groups().problem(), "");
}

}  // namespace
}  // namespace physmem
