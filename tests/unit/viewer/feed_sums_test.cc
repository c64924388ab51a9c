// SPDX-License-Identifier: MIT
// The page and `physmem-trace --format summary` must report the same sums for one trace.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "paging/fold/paging_totals.h"
#include "viewer/trace_feed.h"

namespace physmem::view {
namespace {

/// Flags that the kernel probes produce, for swap-ins and swap-outs, with and without a page move.
constexpr std::array<std::uint32_t, 9> kIns{PM_PAGING_IO | PM_PAGING_MAJOR,
                                            PM_PAGING_IO | PM_PAGING_READAHEAD,
                                            PM_PAGING_IO | PM_PAGING_RETRY,
                                            PM_PAGING_CACHE_HIT,
                                            PM_PAGING_CACHE_HIT | PM_PAGING_MAJOR,
                                            PM_PAGING_RETRY,
                                            PM_PAGING_ZSWAP,
                                            PM_PAGING_ZERO,
                                            PM_PAGING_FAILED};
constexpr std::array<std::uint32_t, 3> kOuts{PM_PAGING_IO | PM_PAGING_OWNER_MAPPED, PM_PAGING_ZSWAP,
                                             PM_PAGING_ZERO};

class BothSums : public testing::Test {
 protected:
  void SetUp() override {
    std::mt19937 random(7);
    for (std::uint64_t i = 0; i < 5000; ++i) {
      PagingEvent event;
      event.sequence = i + 1;
      event.time_ns = i * 100'000;
      event.kind = random() % 3 == 0 ? PagingKind::kOut : PagingKind::kIn;
      const bool is_in = event.kind == PagingKind::kIn;
      event.flags = is_in ? kIns[random() % kIns.size()] : kOuts[random() % kOuts.size()];
      event.tgid = event.pid = 300 + random() % 5;
      event.pfn = random() % 4096;
      if (is_in && !event.has(PM_PAGING_READAHEAD)) event.service_ns = (random() % 900 + 1) * 1000;
      ins_ += is_in && event.is_move() ? 1 : 0;
      feed_.on_event(event);
      totals_.on_event(event);
    }
    feed_.on_lost({1, 0, 5});
    totals_.on_lost({1, 0, 5});
  }

  const PagingState& page() const { return feed_.timeline().present(); }

  std::uint64_t ins_ = 0;
  TraceFeed feed_;
  PagingTotals totals_;
};

TEST_F(BothSums, AreEqualInPageAndSummary) {
  const PagingTotal total = totals_.sum();
  const PagingSums& sums = page().sums();
  EXPECT_EQ(sums.ins, ins_);
  EXPECT_EQ(sums.ins + sums.outs, total.reads + total.writes + total.unmoved);
  EXPECT_EQ(sums.readahead, total.readahead);
  EXPECT_EQ(sums.hits, total.hits);
  EXPECT_EQ(sums.major, total.major);
  EXPECT_EQ(sums.lost, totals_.lost());
}

TEST_F(BothSums, EqualTheSumsOverProcessesBlocksAndSeconds) {
  std::uint64_t of_processes = 0;
  for (const ProcessTrace* process : page().processes().busiest(page().now_ms(), 100))
    of_processes += process->ins;
  std::uint64_t of_seconds = 0;
  for (const PagingRate& rate : page().rates().seconds()) of_seconds += rate.ins;
  std::uint64_t of_blocks = 0;
  page().pages().frames().for_each(
      [&](std::uint64_t, const ActivityBlock& block) { of_blocks += block.ins; });
  EXPECT_EQ(of_processes, ins_);
  EXPECT_EQ(of_seconds, ins_);
  EXPECT_EQ(of_blocks, ins_);
}

TEST_F(BothSums, CountTheServiceTimeOfTheSameSwapIns) {
  PagingRate all;
  for (const PagingRate& rate : page().rates().seconds()) {
    all.timed += rate.timed;
    all.service_us += rate.service_us;
  }
  EXPECT_GT(all.timed, 0u);
  EXPECT_LT(all.timed, ins_);
  EXPECT_EQ(all.timed, totals_.sum().timed);
  EXPECT_EQ(all.service_us * 1000, totals_.sum().service_ns);
}

}  // namespace
}  // namespace physmem::view
