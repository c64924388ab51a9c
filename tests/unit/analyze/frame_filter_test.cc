// SPDX-License-Identifier: MIT
// Pages of processes by node, zone and tier.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/analyze/process/page_count.h"
#include "analyzer/analyze/ram/frame_filter.h"
#include "analyzer/analyze/ram/ledger.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

// The pages of the sample are frames 1A2B3, 1A2B4 and 2C0F5. Node 1 begins at 1A2B4.
constexpr std::string_view kPlaces =
    "G: zone.0.Normal.first=0, zone.0.Normal.spanned=107188, zone.1.Normal.first=107188\n"
    "G: zone.1.Normal.spanned=200000, node.0.tier=4, node.1.tier=22\n";

std::string placed_snapshot(std::string_view places) {
  return with(kSample, "G: at.uptime_ns", std::string(places) + "G: at.uptime_ns");
}

struct Filtered {
  Filtered(const std::string& text, const RamSelection& selection)
      : census({&count}), filter(census, selection) {
    const auto source = text_source(text);
    SnapshotReader reader(*source, "s.txt", {});
    EXPECT_TRUE(reader.next(filter));
  }

  PageCount count;
  Census census;
  FrameFilter filter;
};

TEST(FrameFilter, PassesEverythingWithoutSelection) {
  const Filtered all(placed_snapshot(kPlaces), {});
  EXPECT_EQ(all.count.pages(), 3u);
  EXPECT_EQ(all.filter.problem_of_pages(), "");
}

TEST(FrameFilter, CutsRunsAtTheEndOfANode) {
  EXPECT_EQ(Filtered(placed_snapshot(kPlaces), {.nodes = {0}}).count.pages(), 1u);
  EXPECT_EQ(Filtered(placed_snapshot(kPlaces), {.nodes = {1}}).count.pages(), 2u);
  EXPECT_EQ(Filtered(placed_snapshot(kPlaces), {.tiers = {22}}).count.pages(), 2u);
  EXPECT_EQ(Filtered(placed_snapshot(kPlaces), {.zones = {"Normal"}}).count.pages(), 3u);
}

TEST(FrameFilter, SelectsFramesOfRamByTheirZones) {
  constexpr std::string_view kEnd = "E: 2, 2, 3, 1, 0";
  const std::string records =
      "Z: 0, Normal, 00000000, 100, 100, 100, 0, 0, 1, 2, 3\n"
      "Z: 1, Normal, 00000064, 100, 100, 100, 0, 0, 1, 2, 3\n"
      "G: ram.before.slab=7, ram.after.slab=7\n"
      "R: 00000000, 130, file, 0, 0, 00000068, 0, 00000000\n";
  Ledger ledger;
  Census census({&ledger});
  FrameFilter filter(census, {.nodes = {1}});
  const std::string text = with(with(kSample, "pages=all,", "pages=all, ram=all, ram_by=kcore,"),
                                kEnd, records + std::string(kEnd));
  const auto source = text_source(text);
  SnapshotReader reader(*source, "s.txt", {});
  EXPECT_TRUE(reader.next(filter));
  EXPECT_EQ(ledger.of(PM_RAM_FILE), 30u);
  EXPECT_FALSE(ledger.total("slab"));
}

/// A cgroup stands for those below it, too.
TEST(FrameFilter, SelectsFramesByTheCgroupThatPays) {
  const std::string text =
      with(with(kSample, "pages=all,", "pages=all, ram=all, ram_by=kcore,"), "E: 2, 2, 3, 1, 0",
           "O: 1, cgroup, 93, online, /a\nO: 2, cgroup, 94, dying, /a/b\n"
           "O: 3, cgroup, 95, online, /ab\n"
           "R: 00000000, 1, anon, 0, 0, 00001068, 0, 00000000\n"
           "R: 00000001, 2, anon, 0, 1, 00001068, 0, 00000000\n"
           "R: 00000003, 4, anon, 0, 2, 00001068, 0, 00000000\n"
           "R: 00000007, 8, anon, 0, 3, 00001068, 0, 00000000\n"
           "E: 2, 2, 3, 1, 0");
  const auto frames_of = [&](const char* pattern, bool& fits) {
    Ledger ledger;
    Census census({&ledger});
    FrameFilter filter(census, {.payers = {*NamePattern::parse(pattern)}});
    const auto source = text_source(text);
    SnapshotReader reader(*source, "s.txt", {});
    EXPECT_TRUE(reader.next(filter));
    EXPECT_EQ(filter.problem_of_frames(), "");
    fits = filter.fits_payers();
    return ledger.of(PM_RAM_ANON);
  };
  bool fits = false;
  EXPECT_EQ(frames_of("/a", fits), 6U);
  EXPECT_EQ(frames_of("*/b", fits), 4U);
  EXPECT_TRUE(fits);
  EXPECT_EQ(frames_of("/c", fits), 0U);
  EXPECT_FALSE(fits);
}

TEST(FrameFilter, SaysThatThereAreNoZones) {
  const Filtered none(std::string(kSample), {.nodes = {0}});
  EXPECT_EQ(none.count.pages(), 0u);
  EXPECT_THAT(none.filter.problem_of_pages(),
              testing::StartsWith("pages of processes cannot be selected"));
}

TEST(FrameFilter, SaysThatNoZoneIsSelected) {
  EXPECT_EQ(Filtered(placed_snapshot(kPlaces), {.nodes = {7}}).filter.problem_of_pages(),
            "no frame is of node 7: the snapshot has nodes 0, 1; zone Normal; tiers 4, 22");
}

}  // namespace
}  // namespace physmem
