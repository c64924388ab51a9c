// SPDX-License-Identifier: MIT
#include "tools/pftraced/feed.h"

#include <gtest/gtest.h>

#include "paging/model/paging_record.h"
#include "paging/wire/receiver.h"
#include "tests/unit/paging/wire/paging_examples.h"

namespace physmem::daemon {
namespace {

constexpr std::uint32_t kOwn = 4242;

/// A sender that passes each datagram to a receiver.
class LoopbackSender : public Sender {
 public:
  void send(std::span<const std::uint8_t> datagram) override {
    const Result<wire::Datagram> decoded = wire::decode(datagram);
    ASSERT_TRUE(decoded) << decoded.error().text;
    kinds += " CE."[static_cast<int>(decoded->kind)];
    receiver.take(datagram, *wire::Endpoint::parse("192.0.2.1", 1), sink);
  }

  std::string kinds;  // C configuration, E events, . end
  wire::Receiver receiver;
  RecordingSink sink;
};

class FeedTest : public ::testing::Test {
 protected:
  static pm_paging_record record(std::uint64_t number) { return record_of(example_event(number)); }
  static std::vector<pm_paging_record> records(std::uint64_t count) {
    std::vector<pm_paging_record> all;
    for (std::uint64_t i = 0; i < count; ++i) all.push_back(record(i));
    return all;
  }
  Feed& feed() {
    if (!feed_) feed_.emplace(to, config, 77, kOwn).set_header(example_header());
    return *feed_;
  }

  LoopbackSender to;
  Config config;
  std::optional<Feed> feed_;
};

TEST_F(FeedTest, SendsAConfigurationFirst) {
  feed().round({});
  EXPECT_EQ(to.kinds, "C");
  ASSERT_EQ(to.sink.headers.size(), 1u);
  EXPECT_EQ(to.sink.headers[0], example_header());
}

TEST_F(FeedTest, SendsAConfigurationEvery64Rounds) {
  for (int i = 0; i < 130; ++i) feed().round(records(1));
  EXPECT_EQ(to.kinds, "C" + std::string(64, 'E') + "C" + std::string(64, 'E') + "CEE");
}

TEST_F(FeedTest, DeliversEventsUnchanged) {
  feed().round(records(40));
  EXPECT_EQ(to.kinds, "CEEE");
  ASSERT_EQ(to.sink.events.size(), 40u);
  for (std::uint64_t i = 0; i < 40; ++i) EXPECT_EQ(to.sink.events[i], example_event(i));
  EXPECT_EQ(feed().counts().events, 40u);
  EXPECT_EQ(feed().counts().datagrams, 4u);
}

TEST_F(FeedTest, SendsOnlyEventsWithIoUnlessAllEventsIsSet) {
  pm_paging_record hit = record(0);
  hit.flags = PM_PAGING_CACHE_HIT;
  feed().round(std::array{hit, record(2)});
  EXPECT_EQ(to.sink.events.size(), 1u);
  EXPECT_EQ(feed().counts().filtered, 1u);
  config.all_events = true;
  feed().round(std::array{hit});
  EXPECT_EQ(to.sink.events.size(), 2u);
  EXPECT_TRUE(to.sink.losses.empty()) << "filtered events are not counted as lost";
}

TEST_F(FeedTest, SendsOnlyEventsOfConfiguredProcesses) {
  config.processes = {370};
  pm_paging_record other = record(0);
  other.pid = other.tgid = 9;
  feed().round(std::array{other, record(1), record(2)});  // 1: a swap-out without owner
  ASSERT_EQ(to.sink.events.size(), 1u);
  EXPECT_EQ(to.sink.events[0].sequence, 2u);
  EXPECT_EQ(feed().counts().filtered, 2u);
}

TEST_F(FeedTest, NeverSendsEventsOfItsOwnProcess) {
  pm_paging_record own = record(0);
  own.tgid = kOwn;
  feed().round(std::array{own});
  EXPECT_TRUE(to.sink.events.empty());
  EXPECT_EQ(feed().counts().own, 1u);
}

TEST_F(FeedTest, AddsUpLossesOfTheSource) {
  pm_paging_record lost = {};
  lost.kind = PM_PAGING_LOST;
  lost.slot = 17;
  feed().round({});
  feed().round(std::array{lost, record(0), lost});
  feed().end();
  EXPECT_EQ(to.receiver.counts().lost_by_source, 34u);
  EXPECT_EQ(feed().counts().lost, 34u);
  EXPECT_TRUE(to.receiver.has_ended());
}

TEST_F(FeedTest, SendsItsEndThreeTimesWithTheReason) {
  feed().round({});
  const std::uint64_t before = feed().counts().datagrams;
  feed().end(wire::Kind::kBroken);
  EXPECT_EQ(feed().counts().datagrams, before + 3);
  EXPECT_TRUE(to.receiver.is_broken());
  EXPECT_EQ(to.receiver.counts().malformed, 0u);
}

}  // namespace
}  // namespace physmem::daemon
