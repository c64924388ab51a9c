// SPDX-License-Identifier: MIT
#include "paging/fold/paging_timeline.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/paging/paging_text.h"

namespace physmem {
namespace {

PackedEvent random_event(std::mt19937& random, std::uint32_t time_ms) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  PackedEvent event;
  event.kind = below(2) == 0 ? PM_PAGING_IN : PM_PAGING_OUT;
  event.time_ms = time_ms;
  event.pfn = below(9000);
  event.slot = below(9000);
  event.swap_type = static_cast<std::uint8_t>(below(2));
  event.tgid = event.pid = below(5);
  if (below(4) != 0) event.address = std::uint64_t{0x7F0000000000} + below(3000) * 4096;
  event.flags = static_cast<std::uint16_t>(below(8) == 0 ? PM_PAGING_CACHE_HIT : PM_PAGING_IO);
  return event;
}

void expect_same_block(const ActivityBlock* a, const ActivityBlock* b) {
  ASSERT_EQ(a == nullptr, b == nullptr);
  if (a == nullptr) return;
  EXPECT_EQ(a->ins, b->ins);
  EXPECT_EQ(a->outs, b->outs);
  for (std::size_t i = 0; i < ActivityBlock::kPages; ++i) {
    ASSERT_EQ(a->cells[i].event, b->cells[i].event);
    ASSERT_EQ(a->cells[i].time_ms, b->cells[i].time_ms);
    ASSERT_EQ(a->cells[i].before_ms, b->cells[i].before_ms);
    ASSERT_EQ(a->cells[i].kind, b->cells[i].kind);
    ASSERT_EQ(a->cells[i].before, b->cells[i].before);
    ASSERT_EQ(a->cells[i].tgid, b->cells[i].tgid);
  }
}

void expect_same(const PagingState& a, const PagingState& b) {
  EXPECT_EQ(a.events(), b.events());
  EXPECT_EQ(a.sums(), b.sums());
  EXPECT_EQ(a.virtual_pages().contiguity(), b.virtual_pages().contiguity());
  for (std::uint64_t block = 0; block < 5; ++block) {
    expect_same_block(a.pages().frames().find(block), b.pages().frames().find(block));
    for (const std::uint8_t area : {std::uint8_t{0}, std::uint8_t{1}})
      if (a.pages().slots(area) != nullptr && b.pages().slots(area) != nullptr)
        expect_same_block(a.pages().slots(area)->find(block), b.pages().slots(area)->find(block));
  }
  for (std::uint32_t tgid = 0; tgid < 5; ++tgid) {
    ASSERT_EQ(a.processes().find(tgid) == nullptr, b.processes().find(tgid) == nullptr);
    if (a.processes().find(tgid) == nullptr) continue;
    EXPECT_EQ(a.processes().find(tgid)->ins, b.processes().find(tgid)->ins);
    EXPECT_EQ(a.processes().find(tgid)->event, b.processes().find(tgid)->event);
    EXPECT_EQ(a.virtual_pages().frames(tgid, 4096), b.virtual_pages().frames(tgid, 4096));
  }
}

class PagingTimelineOfSeed : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, PagingTimelineOfSeed, testing::Range(1u, 4u));

TEST_P(PagingTimelineOfSeed, RestoresEveryPastState) {
  std::mt19937 random(GetParam());
  PagingTimeline timeline(12, {2000, 250});
  std::vector<PackedEvent> all;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    all.push_back(random_event(random, i / 3));
    timeline.add(all.back());
  }
  EXPECT_GT(timeline.history_from_ms(), 0u);
  EXPECT_LE(timeline.history_from_ms(), (5000u - 2000 + 251) / 3)
      << "as far back as the events are kept, minus one step";
  PagingState moved = timeline.at(timeline.history_from_ms());
  for (int i = 0; i < 20; ++i) {
    const auto from = timeline.history_from_ms();
    const auto time_ms = static_cast<std::uint32_t>(from + random() % (5000 / 3 + 1 - from));
    PagingState expected;
    for (std::size_t n = 0; n < all.size() && all[n].time_ms <= time_ms; ++n)
      expected.apply(n + 1, all[n]);
    expect_same(timeline.at(time_ms), expected);
    timeline.move(moved, time_ms);
    expect_same(moved, expected);
    EXPECT_EQ(moved.now_ms(), time_ms);
  }
  PagingState present;
  for (std::size_t n = 0; n < all.size(); ++n) present.apply(n + 1, all[n]);
  expect_same(timeline.present(), present);
}

TEST(PagingTimeline, LimitsTheMemoryOfHistoryToThatOfThePresent) {
  PagingTimeline timeline(12, {1'000'000, 4000});
  PackedEvent event = paging_event("in 0 1 1000 0 0:1");
  // 2000 blocks of frames. Each block changes between two saved states.
  for (std::uint64_t i = 0; i < 40'000; ++i) {
    event.time_ms = static_cast<std::uint32_t>(i);
    event.pfn = i % 2000 * ActivityBlock::kPages;
    timeline.add(event);
  }
  const PageActivity& pages = timeline.present().pages();
  EXPECT_EQ(pages.blocks(), 2001u);
  EXPECT_LE(pages.blocks_alive(), 2 * pages.blocks() + 1024);
  EXPECT_GT(timeline.history_from_ms(), 0u) << "the history is shortened";
  EXPECT_LT(timeline.history_from_ms(), 40'000u);
}

TEST(PagingTimeline, KeepsTimeMonotonic) {
  const PagingTimeline timeline = timeline_of("in 500 1 1000 1 0:1\nout 400 1 1000 1 0:1");
  EXPECT_EQ(timeline.present().pages().frame(1)->time_ms, 500u);
  EXPECT_EQ(timeline.at(450).sums().ins, 0u);
}

TEST(EventHistory, DropsTheOldestEventsAndFindsByTime) {
  EventHistory history(3);
  for (const char* text : {"in 10 1 - 1 -", "in 20 1 - 2 -", "in 20 1 - 3 -", "in 30 1 - 4 -"})
    history.push(paging_event(text));
  EXPECT_EQ(history.first(), 2u);
  EXPECT_EQ(history.end(), 5u);
  EXPECT_EQ(history.find(1), nullptr);
  EXPECT_EQ(history.find(2)->pfn, 2u);
  EXPECT_EQ(history.find(5), nullptr);
  EXPECT_EQ(history.after(5), 2u);
  EXPECT_EQ(history.after(20), 4u);
  EXPECT_EQ(history.after(30), 5u);
}

}  // namespace
}  // namespace physmem
