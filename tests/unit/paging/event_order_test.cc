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

std::vector<std::uint64_t> numbers(const PagingRecorder& told) {
  std::vector<std::uint64_t> all;
  for (const PagingEvent& event : told.events) all.push_back(event.sequence);
  return all;
}

struct Order {
  explicit Order(std::size_t most = 3) : order(told, most) {}
  void feed(std::initializer_list<std::uint64_t> sequences) {
    for (const std::uint64_t sequence : sequences) order.on_event(numbered(sequence));
  }
  PagingRecorder told;
  EventOrder order;
};

TEST(EventOrder, PassesWhatIsInOrderAtOnce) {
  Order o;
  o.feed({1, 2, 3});
  EXPECT_THAT(numbers(o.told), ElementsAre(1, 2, 3));
}

TEST(EventOrder, SortsWhatTwoProcessorsWrote) {
  Order o;
  o.feed({2, 4, 1, 3, 6, 5});
  EXPECT_THAT(numbers(o.told), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(o.order.missing(), 0u);
  EXPECT_EQ(o.order.late(), 0u);
}

TEST(EventOrder, WaitsForAtMostSoManyAndCountsWhatDidNotCome) {
  Order o;
  o.feed({1, 5, 6, 7});
  EXPECT_THAT(numbers(o.told), ElementsAre(1));
  o.feed({8});
  EXPECT_THAT(numbers(o.told), ElementsAre(1, 5, 6, 7, 8));
  EXPECT_EQ(o.order.missing(), 3u);
  EXPECT_EQ(o.order.unexplained(), 3u);
}

TEST(EventOrder, TakesALossForTheMissing) {
  Order o;
  o.feed({1, 5});
  o.order.on_lost({50, 0, 2});
  o.order.flush();
  EXPECT_EQ(o.order.missing(), 3u);
  EXPECT_EQ(o.order.unexplained(), 1u);
}

TEST(EventOrder, BeginsWithTheLeastNumberOfATraceThatBeginsInTheMiddle) {
  Order o;
  o.feed({1001, 1000, 1002});
  EXPECT_THAT(numbers(o.told), IsEmpty());
  o.order.flush();
  EXPECT_THAT(numbers(o.told), ElementsAre(1000, 1001, 1002));
  EXPECT_EQ(o.order.missing(), 0u);
}

TEST(EventOrder, PassesWhatCameTooLateAndSaysSo) {
  Order o;
  o.feed({1, 3});
  o.order.flush();
  o.feed({2, 4});
  EXPECT_THAT(numbers(o.told), ElementsAre(1, 3, 2, 4));
  EXPECT_EQ(o.order.late(), 1u);
  EXPECT_EQ(o.order.missing(), 0u);
}

TEST(EventOrder, CountsATwinAsLate) {
  Order o;
  o.feed({1, 3, 3});
  o.order.flush();
  EXPECT_EQ(o.order.late(), 1u);
  EXPECT_EQ(o.order.missing(), 1u);
  EXPECT_THAT(numbers(o.told), ElementsAre(1, 3, 3));
}

TEST(EventOrder, SettlesWhatIsOldEnough) {
  Order o;
  o.feed({1, 3, 5});
  o.order.settle(30);
  EXPECT_THAT(numbers(o.told), ElementsAre(1, 3));
  EXPECT_EQ(o.order.missing(), 1u);
}

TEST(EventOrder, PassesAHeaderBehindWhatWasBeforeIt) {
  Order o;
  o.feed({1, 3});
  o.order.on_header({});
  EXPECT_THAT(numbers(o.told), ElementsAre(1, 3));
  EXPECT_EQ(o.told.headers.size(), 1u);
}

}  // namespace
}  // namespace physmem
