// SPDX-License-Identifier: MIT
// Pages of processes and frames of RAM by node, zone and memory tier.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/analyze/process/basic.h"
#include "analyzer/analyze/process/page_count.h"
#include "analyzer/analyze/ram/frame_split.h"
#include "analyzer/analyze/ram/ledger.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using testing::ElementsAre;
using By = RamSelection::By;

/// What Run does with a question that --by splits.
template <class Fold>
struct SplitReading {
  SplitReading(std::string snapshot, const RamSelection& selection, const ProcessFilter& only = {})
      : text(std::move(snapshot)),
        split(selection, only),
        census(split.analyses(), only),
        filter(census, selection) {
    EventTee tee({&filter});
    if (split.events() != nullptr) tee.add(*split.events());
    const auto source = text_source(text);
    SnapshotReader reader(*source, "s.txt", {});
    const auto found = reader.next(tee);
    EXPECT_TRUE(found) << (found ? "" : found.error().text);
  }

  /// "GROUP: NUMBER" of each group.
  template <class NumberOf>
  std::vector<std::string> rows(NumberOf number_of) const {
    std::vector<std::string> rows;
    for (std::size_t group = 0; group < split.size(); ++group)
      rows.push_back(split.groups().name(group) + ": " + std::to_string(number_of(split[group])));
    return rows;
  }

  std::string text;
  FrameSplit<Fold> split;
  Census census;
  FrameFilter filter;
};

// The pages of the sample are frames 1A2B3, 1A2B4 and 2C0F5. Node 1 begins at 1A2B4, and its zone
// Movable at 2C000.
const std::string kTwoNodes =
    with(kSample, "G: at.uptime_ns",
         "G: zone.0.Normal.first=0, zone.0.Normal.spanned=107188, zone.1.Normal.first=107188\n"
         "G: zone.1.Normal.spanned=72908, zone.1.Movable.first=180224\n"
         "G: zone.1.Movable.spanned=200000, node.0.tier=4, node.1.tier=22\n"
         "G: at.uptime_ns");

std::vector<std::string> pages(const std::string& text, const RamSelection& selection,
                               const ProcessFilter& only = {}) {
  return SplitReading<PageCount>(text, selection, only).rows([](const PageCount& count) {
    return count.pages();
  });
}

TEST(ProcessSplit, IsOneFoldWithoutGroups) {
  EXPECT_THAT(pages(kTwoNodes, {}), ElementsAre("none: 3"));
}

TEST(ProcessSplit, CountsThePagesOfEachGroup) {
  EXPECT_THAT(pages(kTwoNodes, {.by = By::kNode}), ElementsAre("0: 1", "1: 2"));
  EXPECT_THAT(pages(kTwoNodes, {.by = By::kZone}),
              ElementsAre("0 Normal: 1", "1 Normal: 1", "1 Movable: 1"));
  EXPECT_THAT(pages(kTwoNodes, {.by = By::kTier}), ElementsAre("4: 1", "22: 2"));
}

TEST(ProcessSplit, HasOneGroupForNodesBeyondALimit) {
  std::string zones;
  for (int node = 0; node < 4096; ++node)
    zones += fmt::format("G: zone.{0}.Normal.first={0}, zone.{0}.Normal.spanned=1\n", node);
  zones += "G: zone.4096.Normal.first=107187, zone.4096.Normal.spanned=1\n";
  const std::string text = with(kSample, "G: at.uptime_ns", zones + "G: at.uptime_ns");
  const std::vector<std::string> rows = pages(text, {.by = By::kNode});
  ASSERT_EQ(rows.size(), GroupedEvents::kMaxGroups + 1);
  EXPECT_EQ(rows[GroupedEvents::kMaxGroups - 2], "126: 0");
  EXPECT_EQ(rows[GroupedEvents::kMaxGroups - 1], "others: 1");
  EXPECT_EQ(rows.back(), "none: 2");
  EXPECT_THAT(pages(text, {.by = By::kNode, .nodes = {4096}}), ElementsAre("4096: 1"));
}

TEST(ProcessSplit, HasAGroupOfPagesOutsideOfAllZones) {
  const std::string text = with(kTwoNodes, "spanned=200000", "spanned=1");
  EXPECT_THAT(pages(text, {.by = By::kNode}), ElementsAre("0: 1", "1: 1", "none: 1"));
  EXPECT_THAT(pages(text, {.by = By::kNode, .nodes = {1}}), ElementsAre("1: 1"));
}

TEST(ProcessSplit, HasOnlySelectedGroups) {
  EXPECT_THAT(pages(kTwoNodes, {.by = By::kZone, .nodes = {1}}),
              ElementsAre("1 Normal: 1", "1 Movable: 1"));
  EXPECT_THAT(pages(kTwoNodes, {.by = By::kNode, .zones = {"Normal"}}),
              ElementsAre("0: 1", "1: 1"));
  EXPECT_THAT(pages(kTwoNodes, {.by = By::kTier, .nodes = {1}, .zones = {"Movable"}}),
              ElementsAre("22: 1"));
}

TEST(ProcessSplit, CountsOnlyPagesOfTheseProcesses) {
  EXPECT_THAT(pages(kTwoNodes, {.by = By::kNode}, {.pids = {371}}), ElementsAre("0: 1", "1: 2"));
  EXPECT_THAT(pages(kTwoNodes, {.by = By::kNode}, {.pids = {52}}), ElementsAre("0: 0", "1: 0"));
}

TEST(ProcessSplit, SaysWhyThereAreNoGroups) {
  const auto problem = [](const std::string& text, const RamSelection& selection) {
    return SplitReading<PageCount>(text, selection).filter.problem_of_pages();
  };
  EXPECT_EQ(problem(std::string(kSample), {.by = By::kNode}),
            "pages of processes cannot be split by node, zone or tier: the snapshot does not state "
            "the zones before them; snapshots with RAM do since format 2.11");
  EXPECT_EQ(problem(kTwoNodes, {.by = By::kNode, .nodes = {7}}),
            "no frame is of node 7: the snapshot has nodes 0, 1; zones Movable, Normal; tiers 4, "
            "22");
  EXPECT_EQ(problem(kTwoNodes, {.by = By::kNode}), "");
}

TEST(ProcessSplit, HasTheRowsOfASelection) {
  const SplitReading<Basic> all(kTwoNodes, {.by = By::kNode});
  ASSERT_EQ(all.split.size(), 2u);
  for (std::uint64_t node = 0; node < 2; ++node) {
    const SplitReading<Basic> one(kTwoNodes, {.nodes = {node}});
    const std::vector<BasicRow>& rows = all.split[node].rows();
    const std::vector<BasicRow>& expected = one.split.front().rows();
    ASSERT_EQ(rows.size(), expected.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(rows[i].pid, expected[i].pid);
      EXPECT_EQ(rows[i].unique, expected[i].unique);
      EXPECT_EQ(PaperColumns(rows[i].physical).total(), PaperColumns(expected[i].physical).total());
    }
  }
}

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

std::string snapshot_of(std::string_view records) {
  constexpr std::string_view kEnd = "E: 2, 2, 3, 1, 0";
  return with(with(kSample, "pages=all,", "pages=all, ram=all, ram_by=kcore,"), kEnd,
              std::string(records) + std::string(kEnd));
}

std::vector<std::string> frames(std::string_view records, const RamSelection& selection) {
  return SplitReading<Ledger>(snapshot_of(records), selection).rows([](const Ledger& ledger) {
    return ledger.frames();
  });
}

TEST(FrameSplit, IsOneFoldWithoutSelection) {
  const SplitReading<Ledger> reading(snapshot_of(kNodes), {});
  ASSERT_EQ(reading.split.size(), 1u);
  EXPECT_EQ(reading.split.front().frames(), 505u);
  EXPECT_TRUE(reading.split.front().total("slab"));
}

TEST(FrameSplit, CutsRunsAtZones) {
  EXPECT_THAT(frames(kNodes, {.by = By::kNode}), ElementsAre("0: 400", "1: 100", "none: 5"));
  EXPECT_THAT(frames(kNodes, {.by = By::kZone}),
              ElementsAre("0 DMA32: 100", "0 Normal: 300", "1 Normal: 100", "none: 5"));
  EXPECT_THAT(frames(kNodes, {.by = By::kTier}), ElementsAre("4: 400", "7: 100", "none: 5"));
}

// As in snapshots before format 2.11.
TEST(FrameSplit, KnowsTiersThatFollowTheZones) {
  std::string records = with(kNodes, "G: node.0.tier=4, node.1.tier=7\n", "");
  records = with(records, "G: ram.before", "G: node.0.tier=4, node.1.tier=7\nG: ram.before");
  EXPECT_THAT(frames(records, {.by = By::kTier}), ElementsAre("4: 400", "7: 100", "none: 5"));
  const SplitReading<Ledger> reading(snapshot_of(records), {.tiers = {7}});
  EXPECT_EQ(reading.split.front().frames(), 100u);
  EXPECT_EQ(reading.split.front().zones().size(), 1u);
}

TEST(FrameSplit, SelectsZones) {
  EXPECT_THAT(frames(kNodes, {.nodes = {0}, .zones = {"Normal"}}), ElementsAre("none: 300"));
  EXPECT_THAT(frames(kNodes, {.tiers = {7}}), ElementsAre("none: 100"));
}

TEST(FrameSplit, HasNoTotalsOfTheWholeMachine) {
  const SplitReading<Ledger> one(snapshot_of(kNodes), {.nodes = {0}});
  EXPECT_FALSE(one.split.front().total("slab"));
  const SplitReading<Ledger> all(snapshot_of(kNodes), {.by = By::kNode});
  EXPECT_FALSE(all.split[0].total("slab"));
}

TEST(FrameSplit, KnowsOwnersInEachGroup) {
  const SplitReading<Ledger> reading(snapshot_of(kNodes), {.by = By::kNode});
  for (std::size_t group = 0; group < reading.split.size(); ++group) {
    const Ledger& ledger = reading.split[group];
    ASSERT_EQ(ledger.owners().size(), 1u);
    EXPECT_EQ(ledger.owners()[0].pages, ledger.of(PM_RAM_FILE));
  }
}

TEST(FrameSplit, ContinuesThePlaceInAFile) {
  struct Places : Analysis {
    std::vector<std::uint64_t> places;
    void on_ram(const RamRun& run) override { places.push_back(run.place); }
  };
  const SplitReading<Places> reading(snapshot_of(kNodes), {.by = By::kNode});
  EXPECT_THAT(reading.split[1].places, ElementsAre(0x10u + 200u));
}

TEST(FrameSplit, SaysWhatThereIsIfNothingIsSelected) {
  const auto problem = [](const std::string& text, const RamSelection& selection) {
    return SplitReading<Ledger>(text, selection).filter.problem_of_frames();
  };
  EXPECT_EQ(problem(snapshot_of(kNodes), {.nodes = {3}}),
            "no frame is of node 3: the snapshot has nodes 0, 1; zones DMA32, Normal; tiers 4, 7");
  EXPECT_EQ(problem(snapshot_of(kNodes), {.nodes = {1}}), "");
  EXPECT_EQ(problem(snapshot_of(""), {.nodes = {0}}),
            "no frame is selected: the snapshot has no zones");
  EXPECT_EQ(problem(kTwoNodes, {.by = By::kNode}),
            "frames cannot be selected or split by node, zone, tier or cgroup: the snapshot has no "
            "frames of RAM; physmem-collect --ram, as root, records them");
}

/// Folds of several snapshots, as of a series.
TEST(FrameSplit, KeepsTheFoldsOfASeries) {
  struct Headers : Analysis {
    std::uint64_t headers = 0, ram = 0;
    void on_header(const Header&) override { ++headers; }
    void on_ram(const RamRun& run) override { ram += run.pages; }
  };
  FrameSplit<Headers> split({.by = By::kNode});
  const std::string first = snapshot_of(kNodes);
  const std::string second =
      snapshot_of(with(kNodes, "Z: 1, Normal, 000000C8, 100", "Z: 1, Normal, 000000C8, 50"));
  for (const std::string& text : {first, second}) {
    const auto source = text_source(text);
    SnapshotReader reader(*source, "s.txt", {});
    ASSERT_TRUE(reader.next(*split.events()));
  }
  ASSERT_EQ(split.size(), 3u);
  EXPECT_EQ(split[0].headers, 2u);
  EXPECT_EQ(split[0].ram, 400u + 450u);
  EXPECT_EQ(split[1].ram, 100u + 50u);
  EXPECT_EQ(split[2].ram, 10u);
}

}  // namespace
}  // namespace physmem
