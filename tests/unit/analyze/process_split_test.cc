// SPDX-License-Identifier: MIT
// Processes by node, zone and memory tier.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/analyze/basic.h"
#include "analyzer/analyze/page_count.h"
#include "analyzer/analyze/process_split.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using testing::ElementsAre;
using testing::StartsWith;
using By = RamSelection::By;

// The pages of the sample are frames 1A2B3, 1A2B4 and 2C0F5. Node 1 begins at 1A2B4, and its zone
// Movable at 2C000.
const std::string kTwoNodes =
    with(kSample, "G: at.uptime_ns",
         "G: zone.0.Normal.first=0, zone.0.Normal.spanned=107188, zone.1.Normal.first=107188\n"
         "G: zone.1.Normal.spanned=72908, zone.1.Movable.first=180224\n"
         "G: zone.1.Movable.spanned=200000, node.0.tier=4, node.1.tier=22\n"
         "G: at.uptime_ns");

std::vector<std::string> pages(const std::string& text, RamSelection selection,
                               std::set<std::uint64_t> pids = {}) {
  ProcessSplit<PageCount> split(selection, {.pids = std::move(pids)});
  Census census(split.analyses());
  EventTee tee({&census});
  if (split.events() != nullptr) tee.add(*split.events());
  const auto source = text_source(text);
  SnapshotReader reader(*source, "s.txt", {});
  EXPECT_TRUE(reader.next(tee));
  std::vector<std::string> rows;
  for (std::size_t group = 0; group < split.folds().size(); ++group)
    rows.push_back(split.groups().name(group) + ": " +
                   std::to_string(split.folds()[group].pages()));
  if (!split.problem().empty()) rows.push_back(split.problem());
  return rows;
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

TEST(ProcessSplit, HasOnlySelectedGroups) {
  EXPECT_THAT(pages(kTwoNodes, {.by = By::kZone, .nodes = {1}}),
              ElementsAre("1 Normal: 1", "1 Movable: 1"));
  EXPECT_THAT(pages(kTwoNodes, {.by = By::kNode, .zones = {"Normal"}}),
              ElementsAre("0: 1", "1: 1"));
  EXPECT_THAT(pages(kTwoNodes, {.by = By::kTier, .nodes = {1}, .zones = {"Movable"}}),
              ElementsAre("22: 1"));
}

TEST(ProcessSplit, CountsOnlyPagesOfTheseProcesses) {
  EXPECT_THAT(pages(kTwoNodes, {.by = By::kNode}, {371}), ElementsAre("0: 1", "1: 2"));
  EXPECT_THAT(pages(kTwoNodes, {.by = By::kNode}, {52}), ElementsAre("0: 0", "1: 0"));
}

TEST(ProcessSplit, SaysWhyThereAreNoGroups) {
  EXPECT_THAT(pages(std::string(kSample), {.by = By::kNode}),
              ElementsAre("none: 0", StartsWith("pages of processes cannot be split by node")));
  EXPECT_THAT(pages(kTwoNodes, {.by = By::kNode, .nodes = {7}}),
              ElementsAre("none: 0", StartsWith("no frame is of node 7: the snapshot has node 0")));
}

TEST(ProcessSplit, HasTheRowsOfASelection) {
  ProcessSplit<Basic> split({.by = By::kNode});
  const auto source = text_source(kTwoNodes);
  SnapshotReader reader(*source, "s.txt", {});
  ASSERT_TRUE(reader.next(*split.events()));
  ASSERT_EQ(split.folds().size(), 2u);
  for (std::uint64_t node = 0; node < 2; ++node) {
    Basic basic;
    Census census({&basic});
    FrameFilter filter(census, {.nodes = {node}});
    const auto again = text_source(kTwoNodes);
    SnapshotReader second(*again, "s.txt", {});
    ASSERT_TRUE(second.next(filter));
    const std::vector<BasicRow>& rows = split.folds()[node].rows();
    ASSERT_EQ(rows.size(), basic.rows().size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(rows[i].pid, basic.rows()[i].pid);
      EXPECT_EQ(rows[i].unique, basic.rows()[i].unique);
      EXPECT_EQ(PaperColumns(rows[i].physical).total(),
                PaperColumns(basic.rows()[i].physical).total());
    }
  }
}

}  // namespace
}  // namespace physmem
