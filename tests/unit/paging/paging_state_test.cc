// SPDX-License-Identifier: MIT
#include "paging/fold/paging_state.h"

#include <gmock/gmock.h>

#include "tests/unit/paging/paging_text.h"

namespace physmem {
namespace {

using testing::ElementsAre;
using testing::Pair;

PagingState state_of(const std::string& text) {
  return timeline_of(text).present();
}

TEST(PageActivity, KeepsTheLastTwoMovesOfAFrame) {
  const PagingState state = state_of(R"(
out 100 371 7F001000 1A2B3 0:10 io
in 250 372 7F005000 1A2B3 0:20 io)");
  const PageCell* cell = state.pages().frame(0x1A2B3);
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->kind, PM_PAGING_IN);
  EXPECT_EQ(cell->time_ms, 250u);
  EXPECT_EQ(cell->before, PM_PAGING_OUT);
  EXPECT_EQ(cell->before_ms, 100u);
  EXPECT_EQ(cell->tgid, 372u);
  EXPECT_EQ(cell->counterpart, 0x20u);
  EXPECT_EQ(state.pages().frame(0x1A2B4), nullptr) << "its neighbour has no events";
  EXPECT_EQ(state.pages().slot(0, 0x10)->counterpart, 0x1A2B3u);
  EXPECT_EQ(state.pages().slot(1, 0x10), nullptr) << "another area";
}

TEST(PageActivity, SetsTheOwnerButNoMoveForACacheHit) {
  const PagingState state = state_of(R"(
in 100 371 - 1B001 0:11 io readahead
in 180 372 7F002000 1B001 0:11 hit)");
  EXPECT_EQ(state.pages().frame(0x1B001)->time_ms, 100u);
  EXPECT_EQ(state.pages().frame(0x1B001)->before, 0);
  EXPECT_EQ(state.pages().frame(0x1B001)->tgid, 372u);
  EXPECT_EQ(state.sums(), (PagingSums{1, 0, 1, 1, 0, 0}));
}

TEST(PageActivity, SumsMovesPerBlockOf2048Frames) {
  const PagingState state = state_of(R"(
in 1 1 1000 7FF 0:1
out 2 1 1000 7FF 0:1
in 3 1 1000 800 0:1)");
  EXPECT_EQ(state.pages().frames().find(0)->ins, 1u);
  EXPECT_EQ(state.pages().frames().find(0)->outs, 1u);
  EXPECT_EQ(state.pages().frames().find(1)->ins, 1u);
  EXPECT_EQ(state.pages().frames().find(2), nullptr);
}

TEST(PageActivity, CountsPagesBeyondItsCapacity) {
  PageActivity pages(2);
  pages.apply(1, paging_event("in 1 1 1000 0 -"));
  pages.apply(2, paging_event("in 1 1 1000 800 -"));
  EXPECT_EQ(pages.left_out(), 0u);
  pages.apply(3, paging_event("in 1 1 1000 1000 -"));
  EXPECT_EQ(pages.left_out(), 1u);
  EXPECT_EQ(pages.frame(0x1000), nullptr);
}

TEST(PageActivity, SharesItsCapacityAmongAllTables) {
  PageActivity pages(2);
  pages.apply(1, paging_event("in 1 1 1000 0 -"));
  pages.apply(2, paging_event("out 1 1 1000 0 0:800"));
  EXPECT_EQ(pages.blocks(), 2u);
  EXPECT_EQ(pages.left_out(), 0u);
  pages.apply(3, paging_event("out 1 1 1000 0 1:800"));
  EXPECT_EQ(pages.blocks(), 2u);
  EXPECT_EQ(pages.left_out(), 1u);
}

TEST(PageActivity, CopiesDoNotSeeLaterEvents) {
  PageActivity pages;
  pages.apply(1, paging_event("in 1 1 1000 5 -"));
  const PageActivity before = pages;
  EXPECT_EQ(pages.blocks_alive(), 1u) << "shared";
  pages.apply(2, paging_event("out 9 1 1000 5 -"));
  EXPECT_EQ(before.frame(5)->time_ms, 1u);
  EXPECT_EQ(pages.frame(5)->time_ms, 9u);
  EXPECT_EQ(pages.blocks_alive(), 2u);
}

TEST(Contiguity, CountsAdjacentPagesInAdjacentFrames) {
  const PagingState state = state_of(R"(
in 1 371 7F000000 100 0:1
in 2 371 7F001000 101 0:2
in 3 371 7F002000 200 0:3
in 4 372 7F003000 201 0:4)");
  EXPECT_EQ(state.virtual_pages().contiguity(), (Contiguity{2, 1}))
      << "the fourth is another process's";
  EXPECT_EQ(state.virtual_pages().sums(371).resident, 3u);
}

TEST(Contiguity, DropsThePairsOfASwappedPage) {
  const PagingState state = state_of(R"(
in 1 371 7F000000 100 0:1
in 2 371 7F001000 101 0:2
in 3 371 7F002000 102 0:3
out 4 371 7F001000 101 0:9)");
  EXPECT_EQ(state.virtual_pages().contiguity(), (Contiguity{0, 0}));
  EXPECT_EQ(state.virtual_pages().sums(371).resident, 2u);
  EXPECT_EQ(state.virtual_pages().sums(371).swapped, 1u);
}

TEST(VirtualPages, EraseTheFirstPageOfAReusedFrame) {
  const PagingState state = state_of(R"(
in 1 371 7F000000 100 0:1
in 2 372 55000000 100 0:2)");
  EXPECT_EQ(state.place(371, 0x7F000000).kind, PagePlace::Kind::kUnknown);
  EXPECT_EQ(state.place(372, 0x55000000), (PagePlace{PagePlace::Kind::kFrame, 0, 0x100}));
}

TEST(VirtualPages, EraseTheFirstPageOfAReusedSlot) {
  const PagingState state = state_of(R"(
out 1 371 7F000000 100 1:A
out 2 372 55000000 101 1:A)");
  EXPECT_EQ(state.place(371, 0x7F000000).kind, PagePlace::Kind::kUnknown);
  EXPECT_EQ(state.place(372, 0x55000000), (PagePlace{PagePlace::Kind::kSlot, 1, 0xA}));
}

TEST(VirtualPages, DoNotMapRetriedOrFailedReads) {
  const PagingState state = state_of(R"(
in 1 371 7F000000 100 0:1 io retry
in 2 371 7F001000 101 0:2 io failed)");
  EXPECT_EQ(state.place(371, 0x7F000000).kind, PagePlace::Kind::kUnknown);
  EXPECT_EQ(state.place(371, 0x7F001000).kind, PagePlace::Kind::kUnknown);
}

TEST(VirtualPages, EraseTheFirstPageOfAFrameIntoWhichAnotherCouldNotBeMapped) {
  const PagingState state = state_of(R"(
in 1 371 7F000000 100 0:1
in 2 372 55000000 100 0:2 io failed)");
  EXPECT_EQ(state.place(371, 0x7F000000).kind, PagePlace::Kind::kUnknown);
  EXPECT_EQ(state.place(372, 0x55000000).kind, PagePlace::Kind::kUnknown);
}

TEST(VirtualPages, ListTheFramesOfAProcessInRuns) {
  const PagingState state = state_of(R"(
in 1 371 7F000000 101 0:1
in 2 371 90000000 100 0:2
in 3 371 55000000 102 0:3
in 4 371 55009000 300 0:4)");
  EXPECT_THAT(state.virtual_pages().frames(371, 100), ElementsAre(Pair(0x100, 3), Pair(0x300, 1)));
  EXPECT_THAT(state.virtual_pages().frames(371, 1), ElementsAre(Pair(0x100, 3)));
  EXPECT_TRUE(state.virtual_pages().frames(5, 100).empty());
}

TEST(ProcessActivity, KeepsTheLastTenMovesNewestFirst) {
  std::string text;
  for (int i = 0; i < 12; ++i) text += "in " + std::to_string(100 + i) + " 371 7F000000 100 0:1\n";
  text += "in 200 371 7F009000 100 0:1 hit\n";
  const PagingState state = state_of(text);
  const ProcessTrace* process = state.processes().find(371);
  ASSERT_EQ(process->last().size(), 10u);
  EXPECT_EQ(process->last().front().time_ms, 111u) << "the hit is no move";
  EXPECT_EQ(process->last().back().time_ms, 102u);
  EXPECT_EQ(process->ins, 12u);
  EXPECT_EQ(process->address, 0x7F009000u);
}

TEST(ProcessActivity, ComputesRatesFromTheLastSeconds) {
  std::string text;
  for (int i = 0; i < 40; ++i)
    text += "in " + std::to_string(10000 + 100 * i) + " 371 7F000000 100 0:1\n";
  const PagingState state = state_of(text);
  const RecentMoves& recent = state.processes().find(371)->recent;
  EXPECT_NEAR(recent.rate(13999).ins, 10, 0.1);
  EXPECT_NEAR(recent.rate(15500).ins, 20 / 3.5, 0.01) << "seconds 12 and 13 only";
  EXPECT_EQ(recent.rate(30000).ins, 0);
}

TEST(ProcessActivity, MergesTheLeastActiveIntoOther) {
  ProcessActivity processes(8);
  std::vector<std::uint32_t> dropped;
  const auto drop = [&](std::uint32_t tgid) { dropped.push_back(tgid); };
  std::uint64_t number = 0;
  for (int tgid = 0; tgid < 8; ++tgid)
    processes.apply(++number, paging_event("out 1 " + std::to_string(tgid) + " - 100 0:1"), drop);
  processes.apply(++number, paging_event("in 2 1 - 100 0:1"), drop);
  processes.apply(++number, paging_event("in 3 99 - 100 0:1"), drop);
  EXPECT_THAT(dropped, testing::UnorderedElementsAre(2, 3, 4))
      << "1 was active later, 0 stands for no process";
  EXPECT_EQ(processes.other().processes, 3u);
  EXPECT_EQ(processes.other().outs, 3u);
  EXPECT_EQ(processes.find(2), nullptr);
  EXPECT_EQ(processes.find(99)->ins, 1u);
}

TEST(ProcessActivity, OrdersByRecentActivity) {
  const PagingState state = state_of(R"(
in 1000 1 - 100 0:1
in 1000 1 - 100 0:1
in 9000 2 - 100 0:1
in 9100 3 - 100 0:1
in 9200 3 - 100 0:1)");
  std::vector<std::uint32_t> order;
  for (const ProcessTrace* process : state.processes().busiest(9500, 2))
    order.push_back(process->tgid);
  EXPECT_THAT(order, ElementsAre(3, 2));
}

TEST(PagingRates, SumsPerSecondWithZerosBetween) {
  const PagingState state = state_of(R"(
in 100 1 - 100 0:1 io major service=400
in 900 1 - 100 0:1 service=200
in 950 1 - 100 0:1 hit service=9
out 2500 1 - 100 0:1)");
  const auto& seconds = state.rates().seconds();
  ASSERT_EQ(seconds.size(), 3u);
  EXPECT_EQ(seconds[0].ins, 2u);
  EXPECT_EQ(seconds[0].major, 1u);
  EXPECT_EQ(seconds[0].mean_service_us(), 300);
  EXPECT_EQ(seconds[1].ins + seconds[1].outs, 0u);
  EXPECT_EQ(seconds[1].mean_service_us(), std::nullopt);
  EXPECT_EQ(seconds[2].outs, 1u);
  EXPECT_EQ(seconds[2].begin_ms, 2000u);
}

TEST(PagingRates, KeepsMinutesForTimesMoreThanAnHourAgo) {
  PagingRates rates;
  rates.apply(paging_event("in 30000 1 - 100 0:1"));
  rates.apply(paging_event("in 3700000 1 - 100 0:1"));
  EXPECT_LE(rates.seconds().size(), PagingRates::kMaxSeconds);
  EXPECT_EQ(rates.seconds().front().begin_ms % 60000, 0u)
      << "the minutes end where the seconds begin";
  EXPECT_GT(rates.seconds().front().begin_ms, 30000u);
  EXPECT_EQ(rates.minutes().front().ins, 1u);
  EXPECT_EQ(rates.minutes().back().begin_ms, 3660000u);
  EXPECT_EQ(rates.seconds().back().ins, 1u);
}

TEST(PagingRates, AddsALateEventToItsOwnSecond) {
  PagingRates rates;
  rates.apply(paging_event("in 100 1 - 100 0:1"));
  rates.advance(3500);
  rates.apply(paging_event("out 2900 1 - 100 0:1"));
  EXPECT_EQ(rates.seconds()[2].outs, 1u);
  EXPECT_EQ(rates.seconds()[3].outs, 0u);
}

TEST(PagingRates, LimitsItsSizeAfterALongPause) {
  PagingRates rates;
  rates.apply(paging_event("in 100 1 - 100 0:1"));
  rates.advance(4'294'967'294u);
  EXPECT_LE(rates.seconds().size(), PagingRates::kMaxSeconds);
  EXPECT_LE(rates.minutes().size(), PagingRates::kMaxMinutes);
  EXPECT_EQ(rates.seconds().back().begin_ms, 4'294'967'000u);
}

}  // namespace
}  // namespace physmem
