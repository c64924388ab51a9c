// SPDX-License-Identifier: MIT
#include "paging/source/udp_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <functional>

#include "tests/unit/manual_clock.h"
#include "tests/unit/paging/wire/paging_examples.h"

namespace physmem {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

/// Sends from an address of this machine.
class Sender {
 public:
  explicit Sender(const wire::Endpoint& to, const char* from = "127.0.0.1") {
    socket_ = UniqueFd(::socket(AF_INET, SOCK_DGRAM, 0));
    wire::Endpoint own = *wire::Endpoint::parse(from, 1);
    sockaddr_in address = *reinterpret_cast<const sockaddr_in*>(own.address());
    address.sin_port = 0;
    EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(::connect(socket_.get(), to.address(), to.length()), 0);
  }
  void send(const std::vector<std::uint8_t>& bytes) {
    EXPECT_EQ(::send(socket_.get(), bytes.data(), bytes.size(), 0),
              static_cast<ssize_t>(bytes.size()));
  }

 private:
  UniqueFd socket_;
};

/// Listens on a free port, because tests run in parallel.
std::unique_ptr<UdpSource> listening(int receive_buffer = 1 << 20, Clock& clock = system_clock()) {
  for (unsigned port = 20000 + static_cast<unsigned>(::getpid()) % 20000;; ++port) {
    auto source = UdpSource::open(
        {.listen = "127.0.0.1:" + std::to_string(port), .receive_buffer = receive_buffer}, clock);
    if (source) return std::move(*source);
    EXPECT_THAT(source.error().text, HasSubstr("another program is listening there"));
  }
}

/// Timeout of waits for a broken program. No result depends on it.
constexpr std::chrono::seconds kLimit = 60s;

/// The kernel may deliver a datagram after send() has returned.
void wait_for_datagram(const UdpSource& source) {
  pollfd file{source.descriptor(), POLLIN, 0};
  ASSERT_EQ(::poll(&file, 1, static_cast<int>(std::chrono::milliseconds(kLimit).count())), 1);
}

/// Receives datagrams until `is_complete`.
void pump_until(UdpSource& source, PagingSink& sink, const std::function<bool()>& is_complete) {
  while (!is_complete()) {
    ASSERT_NO_FATAL_FAILURE(wait_for_datagram(source));
    ASSERT_TRUE(source.pump(sink, 0ms));
  }
}

TEST(UdpSource, DeliversReceivedDatagrams) {
  const auto source = listening();
  Sender sender(source->endpoint());
  ExampleSession session(5);
  sender.send(session.configuration());
  sender.send(session.events(16));
  RecordingSink sink;
  pump_until(*source, sink, [&] { return !sink.events.empty(); });
  EXPECT_EQ(sink.headers.size(), 1u);
  EXPECT_EQ(sink.events.size(), 16u);
}

TEST(UdpSource, ReportsAPortThatIsInUse) {
  const auto source = listening();
  const auto second = UdpSource::open({.listen = source->endpoint().text()});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, Error::Kind::kIo);
  EXPECT_THAT(second.error().text,
              HasSubstr("Address already in use; another program is listening there"));
}

TEST(UdpSource, ReportsAnAddressOfAnotherMachine) {
  const auto source = UdpSource::open({.listen = "192.0.2.1"});
  ASSERT_FALSE(source);
  EXPECT_THAT(source.error().text, HasSubstr("192.0.2.1:9091: cannot listen"));
}

TEST(UdpSource, CountsBufferOverflowsInKernelAndReceiver) {
  const auto source = listening(8192);
  Sender sender(source->endpoint());
  ExampleSession session(5);
  RecordingSink sink;
  sender.send(session.configuration());
  pump_until(*source, sink, [&] { return !sink.headers.empty(); });
  for (int i = 0; i < 200; ++i) sender.send(session.events(16));
  std::size_t sent = 200 * 16;
  const auto known = [&] { return sink.events.size() + source->receiver().counts().lost_events; };
  // A loss is known after a later datagram has arrived. If that one finds no room, another follows.
  do {
    ASSERT_NO_FATAL_FAILURE(wait_for_datagram(*source));
    ASSERT_TRUE(source->pump(sink, 0ms));
    sender.send(session.events(1));
    ++sent;
  } while (known() + 1 != sent);
  pump_until(*source, sink, [&] { return known() == sent; });
  EXPECT_GT(source->without_room(), 100u);
  EXPECT_EQ(source->receiver().counts().lost_datagrams, source->without_room())
      << "two independent counts";
}

TEST(UdpSource, IgnoresAnotherHostAndOverlongDatagrams) {
  const auto source = listening();
  Sender sender(source->endpoint()), other_host(source->endpoint(), "127.0.0.2");
  RecordingSink sink;
  sender.send(ExampleSession(5).configuration());
  pump_until(*source, sink, [&] { return !sink.headers.empty(); });
  other_host.send(ExampleSession(6).configuration());
  sender.send(std::vector<std::uint8_t>(1473, 'P'));
  sender.send({});
  const wire::Receiver::Counts& counts = source->receiver().counts();
  pump_until(*source, sink, [&] { return counts.foreign + counts.malformed == 3; });
  EXPECT_EQ(counts.foreign, 1u);
  EXPECT_EQ(counts.malformed, 2u);
  EXPECT_EQ(sink.headers.size(), 1u);
}

TEST(UdpSource, WaitsUntilTheTimeoutWithoutDatagrams) {
  ManualClock clock;
  const auto source = listening(1 << 20, clock);
  RecordingSink sink;
  ASSERT_TRUE(source->pump(sink, 50ms));
  EXPECT_EQ(clock.elapsed(), 50ms);
  EXPECT_TRUE(sink.headers.empty());
}

TEST(UdpSource, WaitsUntilADatagramArrives) {
  ManualClock clock;
  const auto source = listening(1 << 20, clock);
  Sender sender(source->endpoint());
  ExampleSession session(5);
  clock.at(20ms, [&] {
    sender.send(session.configuration());
    wait_for_datagram(*source);
  });
  RecordingSink sink;
  ASSERT_TRUE(source->pump(sink, 50ms));
  EXPECT_EQ(clock.elapsed(), 20ms);
  EXPECT_EQ(sink.headers.size(), 1u);
}

TEST(UdpSource, ReportsSilenceOfMoreThan30SecondsAfterAConfiguration) {
  ManualClock clock;
  const auto source = listening(1 << 20, clock);
  Sender sender(source->endpoint());
  ExampleSession session(5);
  RecordingSink sink;
  clock.advance(60s);
  EXPECT_EQ(source->trouble(), "") << "no daemon has started";
  sender.send(session.configuration());
  pump_until(*source, sink, [&] { return !sink.headers.empty(); });
  clock.advance(29s);
  EXPECT_EQ(source->trouble(), "");
  clock.advance(2s);
  EXPECT_EQ(source->trouble(), "nothing from pftraced for 31 s");
  sender.send(session.events(1));
  pump_until(*source, sink, [&] { return !sink.events.empty(); });
  EXPECT_EQ(source->trouble(), "");
}

}  // namespace
}  // namespace physmem
