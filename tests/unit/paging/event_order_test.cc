// SPDX-License-Identifier: MIT
#include "paging/parse/event_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/trace_text.h"

namespace physmem {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

PagingEvent numbered(std::uint64_t sequence) {
  PagingEvent event;
  event.sequence = sequence;
  event.time_ns = sequence * 10;
  return event;
}

std::vector<std::uint64_t> numbers(const PagingRecorder& recorder) {
  std::vector<std::uint64_t> all;
  for (const PagingEvent& event : recorder.events) all.push_back(event.sequence);
  return all;
}

struct Order {
  explicit Order(std::size_t capacity = 3) : order(recorder, capacity) {}
  void feed(std::initializer_list<std::uint64_t> sequences) {
    for (const std::uint64_t sequence : sequences) order.on_event(numbered(sequence));
  }
  PagingRecorder recorder;
  EventOrder order;
};

TEST(EventOrder, PassesOrderedEventsImmediately) {
  Order o;
  o.feed({1, 2, 3});
  EXPECT_THAT(numbers(o.recorder), ElementsAre(1, 2, 3));
}

TEST(EventOrder, SortsEventsOfTwoProcessors) {
  Order o;
  o.feed({2, 4, 1, 3, 6, 5});
  EXPECT_THAT(numbers(o.recorder), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(o.order.missing(), 0u);
  EXPECT_EQ(o.order.late(), 0u);
}

TEST(EventOrder, WaitsForALimitedNumberOfEventsAndCountsMissingOnes) {
  Order o;
  o.feed({1, 5, 6, 7});
  EXPECT_THAT(numbers(o.recorder), ElementsAre(1));
  o.feed({8});
  EXPECT_THAT(numbers(o.recorder), ElementsAre(1, 5, 6, 7, 8));
  EXPECT_EQ(o.order.missing(), 3u);
  EXPECT_EQ(o.order.unexplained(), 3u);
}

TEST(EventOrder, ExplainsMissingEventsByRecordedLosses) {
  Order o;
  o.feed({1, 5});
  o.order.on_lost({50, 0, 2});
  o.order.flush();
  EXPECT_EQ(o.order.missing(), 3u);
  EXPECT_EQ(o.order.unexplained(), 1u);
}

TEST(EventOrder, StartsATruncatedTraceAtItsLowestNumber) {
  Order o;
  o.feed({1001, 1000, 1002});
  EXPECT_THAT(numbers(o.recorder), IsEmpty());
  o.order.flush();
  EXPECT_THAT(numbers(o.recorder), ElementsAre(1000, 1001, 1002));
  EXPECT_EQ(o.order.missing(), 0u);
}

TEST(EventOrder, PassesAndCountsLateEvents) {
  Order o;
  o.feed({1, 3});
  o.order.flush();
  o.feed({2, 4});
  EXPECT_THAT(numbers(o.recorder), ElementsAre(1, 3, 2, 4));
  EXPECT_EQ(o.order.late(), 1u);
  EXPECT_EQ(o.order.missing(), 0u);
}

TEST(EventOrder, CountsADuplicateAsLate) {
  Order o;
  o.feed({1, 3, 3});
  o.order.flush();
  EXPECT_EQ(o.order.late(), 1u);
  EXPECT_EQ(o.order.missing(), 1u);
  EXPECT_THAT(numbers(o.recorder), ElementsAre(1, 3, 3));
}

TEST(EventOrder, PassesEventsUpToTheSettledTime) {
  Order o;
  o.feed({1, 3, 5});
  o.order.settle(30);
  EXPECT_THAT(numbers(o.recorder), ElementsAre(1, 3));
  EXPECT_EQ(o.order.missing(), 1u);
}

TEST(EventOrder, PassesAHeaderAfterTheEventsBeforeIt) {
  Order o;
  o.feed({1, 3});
  o.order.on_header({});
  EXPECT_THAT(numbers(o.recorder), ElementsAre(1, 3));
  EXPECT_EQ(o.recorder.headers.size(), 1u);
}

}  // namespace
}  // namespace physmem
