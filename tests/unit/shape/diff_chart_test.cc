// SPDX-License-Identifier: MIT
// --ask diff as pairs of bars.
#include "analyzer/shape/diff_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/analyze/diff/snapshot_diff.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using testing::ElementsAre;

/// A snapshot of one process with these pages of its [heap].
std::string snapshot_with(std::uint64_t uptime, const std::vector<int>& pages, std::uint64_t pid) {
  std::string text = std::string(kHeaderLine);
  text.replace(text.find("uptime_ns=0"), 11, fmt::format("uptime_ns={}", uptime));
  text += fmt::format("T: cat     , {0}, {0:08X}, 0, 0, 0, 0, 0, 0, 0, {0}, 1, 1, 0\n", pid);
  text += fmt::format(
      "V: 10000000, 1000FFFF, 00010000, {:08X}, 00000000, 00000003, [heap], "
      "00000000, 00:00, 0\nP: {}, 0, 0, {}, 0, 0\nM:",
      pages.size() * 0x1000, pages.size(), pages.size());
  for (const int page : pages)
    text += fmt::format(" 1000{:X}000=0000{:X}000, 1, 00005868 |", page, page + 1);
  return text + fmt::format("\nE: 1, 1, {}, 0, 0\n", pages.size());
}

TEST(DiffChart, HasABarBeforeAndAfterWithWhatCameAndWent) {
  SnapshotDiff diff;
  fold_series(snapshot_with(1, {1, 2, 3}, 7) + snapshot_with(2, {2, 3, 4, 5}, 7), {&diff});
  const BarChart chart = process_changes_chart(diff, {}, {});
  EXPECT_THAT(chart.series, ElementsAre("stayed", "went", "came"));
  EXPECT_THAT(chart.bar_titles, ElementsAre("before", "after"));
  ASSERT_EQ(chart.groups.size(), 1);
  EXPECT_EQ(chart.groups[0].label, "cat (7)");
  EXPECT_THAT(chart.groups[0].bars, ElementsAre(ElementsAre(2, 1, 0), ElementsAre(2, 0, 2)));
}

TEST(DiffChart, ShowsNewAndEndedProcessesAndOmitsUnchangedOnes) {
  SnapshotDiff diff;
  fold_series(snapshot_with(1, {1, 2, 3}, 7) + snapshot_with(2, {1}, 8), {&diff});
  const BarChart chart = process_changes_chart(diff, {}, {});
  ASSERT_EQ(chart.groups.size(), 2);
  EXPECT_EQ(chart.groups[0].label, "cat (7)");
  EXPECT_THAT(chart.groups[0].bars, ElementsAre(ElementsAre(0, 3, 0), ElementsAre(0, 0, 0)));
  EXPECT_THAT(chart.groups[1].bars, ElementsAre(ElementsAre(0, 0, 0), ElementsAre(0, 0, 1)));

  UseView one;
  one.top = 1;
  const BarChart cut = process_changes_chart(diff, one, {});
  ASSERT_EQ(cut.groups.size(), 2);
  EXPECT_EQ(cut.groups[1].label, "(1 more)");
  EXPECT_THAT(cut.groups[1].bars, ElementsAre(ElementsAre(0, 0, 0), ElementsAre(0, 0, 1)));

  SnapshotDiff same;
  fold_series(snapshot_with(1, {1}, 7) + snapshot_with(2, {1}, 7), {&same});
  EXPECT_TRUE(process_changes_chart(same, {}, {}).groups.empty());
}

}  // namespace
}  // namespace physmem
