// SPDX-License-Identifier: MIT
#include "paging/wire/receiver.h"

#include <gtest/gtest.h>

#include "tests/unit/paging/wire/paging_examples.h"

namespace physmem::wire {
namespace {

Endpoint host(std::string_view text) {
  return *Endpoint::parse(text, 4000);
}

class ReceiverTest : public ::testing::Test {
 protected:
  void take(const ExampleSession::Datagram& datagram, std::string_view from = "192.0.2.1") {
    receiver.take(datagram, host(from), sink);
  }
  std::uint64_t lost() const {
    std::uint64_t sum = 0;
    for (const LostEvents& loss : sink.losses) sum += loss.count;
    return sum;
  }

  Receiver receiver;
  RecordingSink sink;
  ExampleSession session{1};
};

TEST_F(ReceiverTest, RecordsNothingBeforeTheFirstConfiguration) {
  take(session.events(3));
  take(session.end());
  EXPECT_TRUE(sink.headers.empty());
  EXPECT_TRUE(sink.events.empty());
  EXPECT_FALSE(receiver.has_configuration());
  take(session.configuration());
  take(session.events(2));
  EXPECT_EQ(sink.headers.size(), 1u);
  EXPECT_EQ(sink.events.size(), 2u);
  EXPECT_EQ(receiver.counts().early, 2u);
  EXPECT_EQ(lost(), 0u) << "events from before this client listened are not lost";
}

TEST_F(ReceiverTest, DeliversEventsInOrder) {
  take(session.configuration());
  take(session.events(16));
  take(session.events(4));
  ASSERT_EQ(sink.events.size(), 20u);
  for (std::uint64_t i = 0; i < 20; ++i) EXPECT_EQ(sink.events[i], example_event(i));
  EXPECT_TRUE(sink.losses.empty());
}

TEST_F(ReceiverTest, CountsTheExactEventsOfAGap) {
  take(session.configuration());
  take(session.events(16));
  session.events(16);
  session.events(5);
  take(session.events(1));
  EXPECT_EQ(receiver.counts().lost_datagrams, 2u);
  EXPECT_EQ(receiver.counts().lost_events, 21u);
  ASSERT_EQ(sink.losses.size(), 1u);
  EXPECT_EQ(sink.losses[0].count, 21u);
  EXPECT_EQ(sink.losses[0].time_ns, sink.events.back().time_ns);
  EXPECT_FALSE(sink.losses[0].cpu);
}

TEST_F(ReceiverTest, CountsNoLostEventsForALostConfiguration) {
  take(session.configuration());
  session.configuration();
  take(session.events(1));
  EXPECT_EQ(receiver.counts().lost_datagrams, 1u);
  EXPECT_TRUE(sink.losses.empty());
}

TEST_F(ReceiverTest, ReportsLossesOfTheSource) {
  take(session.configuration());
  session.lose(17);
  take(session.events(1));
  take(session.events(1));
  EXPECT_EQ(receiver.counts().lost_by_source, 17u);
  EXPECT_EQ(lost(), 17u);
}

TEST_F(ReceiverTest, IgnoresRepeatedAndReorderedDatagrams) {
  take(session.configuration());
  const auto late = session.events(2), next = session.events(3);
  take(next);
  take(next);
  take(late);
  EXPECT_EQ(sink.events.size(), 3u);
  EXPECT_EQ(receiver.counts().old, 2u);
  EXPECT_EQ(receiver.counts().lost_events, 2u);
}

TEST_F(ReceiverTest, StartsANewSessionWithItsConfiguration) {
  take(session.configuration());
  take(session.events(2));
  ExampleSession restarted(2);
  const auto configuration = restarted.configuration();
  take(restarted.events(1));
  EXPECT_EQ(sink.events.size(), 2u) << "no configuration yet";
  take(configuration);
  EXPECT_EQ(sink.headers.size(), 2u);
  EXPECT_EQ(receiver.counts().sessions, 2u);
}

TEST_F(ReceiverTest, CountsEventsBeforeTheConfigurationOfARestartedDaemonAsLost) {
  take(session.configuration());
  ExampleSession restarted(2);
  restarted.configuration();
  restarted.events(5);
  take(restarted.configuration());
  EXPECT_EQ(receiver.counts().lost_datagrams, 2u);
  EXPECT_EQ(lost(), 5u);
}

TEST_F(ReceiverTest, IgnoresDatagramsOfAnEndedSession) {
  const auto first = session.configuration();
  take(first);
  ExampleSession restarted(2);
  take(restarted.configuration());
  take(first);
  take(session.events(3));
  EXPECT_EQ(receiver.counts().old, 2u);
  EXPECT_EQ(sink.headers.size(), 2u);
  take(restarted.events(1));
  EXPECT_EQ(sink.events.size(), 1u);
}

TEST_F(ReceiverTest, RejectsASessionWithImpossibleSums) {
  take(session.configuration());
  auto bad = ExampleSession(2).configuration();
  bad[16] = 1;   // datagram number 1,
  bad[32] = 17;  // 17 events in the previous datagram
  take(bad);
  EXPECT_EQ(receiver.counts().malformed, 1u);
  EXPECT_EQ(sink.headers.size(), 1u);
}

TEST_F(ReceiverTest, IgnoresAnotherHost) {
  take(session.configuration(), "192.0.2.1");
  ExampleSession other_host(9);
  take(other_host.configuration(), "192.0.2.2");
  take(other_host.events(4), "192.0.2.2");
  EXPECT_EQ(receiver.counts().foreign, 2u);
  EXPECT_EQ(sink.headers.size(), 1u);
  EXPECT_TRUE(sink.events.empty());
}

TEST_F(ReceiverTest, AcceptsOnlyTheGivenServer) {
  receiver = Receiver(host("192.0.2.7"));
  take(session.configuration(), "192.0.2.1");
  EXPECT_TRUE(sink.headers.empty());
  take(session.configuration(), "192.0.2.7");
  EXPECT_EQ(sink.headers.size(), 1u);
}

TEST_F(ReceiverTest, IgnoresAMalformedDatagram) {
  take(session.configuration());
  auto broken = session.events(2);
  broken.pop_back();
  take(broken);
  EXPECT_EQ(receiver.counts().malformed, 1u);
  EXPECT_TRUE(sink.events.empty());
  EXPECT_NE(receiver.last_flaw().find("175 bytes for 2 events"), std::string::npos)
      << receiver.last_flaw();
}

TEST_F(ReceiverTest, RejectsSumsThatContradictEarlierOnes) {
  take(session.configuration());
  session.lose(3);
  take(session.events(16));
  auto decreased = session.events(1);
  decreased[24] = 2;  // lost: 3 before
  take(decreased);
  auto increased = session.events(1);
  increased[32] = 34;  // 16 events taken, one datagram of one event missing
  take(increased);
  EXPECT_EQ(receiver.counts().malformed, 2u);
  EXPECT_EQ(sink.events.size(), 16u);
  take(session.events(1));
  EXPECT_EQ(receiver.counts().lost_events, 2u) << "the events of the two rejected datagrams";
}

TEST_F(ReceiverTest, ReportsARepeatedConfigurationOnce) {
  take(session.configuration());
  take(session.configuration());
  TraceHeader changed = example_header();
  changed.swap_areas.pop_back();
  take(session.configuration(changed));
  EXPECT_EQ(sink.headers.size(), 2u);
  EXPECT_EQ(sink.headers.back(), changed);
}

TEST_F(ReceiverTest, DetectsTheEndOfTheDaemon) {
  take(session.configuration());
  EXPECT_FALSE(receiver.has_ended());
  take(session.end());
  EXPECT_TRUE(receiver.has_ended());
  EXPECT_FALSE(receiver.is_broken());
  take(ExampleSession(2).configuration());
  EXPECT_FALSE(receiver.has_ended());
}

TEST_F(ReceiverTest, DetectsABrokenSource) {
  take(session.configuration());
  take(session.end(Kind::kBroken));
  EXPECT_TRUE(receiver.has_ended());
  EXPECT_TRUE(receiver.is_broken());
}

}  // namespace
}  // namespace physmem::wire
