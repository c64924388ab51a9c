// SPDX-License-Identifier: MIT
#include "tools/pftraced/udp_sender.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include "paging/source/udp_source.h"
#include "tests/unit/paging/wire/paging_examples.h"

namespace physmem::daemon {
namespace {

using namespace std::chrono_literals;

Config sending_to(const wire::Endpoint& client) {
  Config config;
  config.client = client;
  return config;
}

/// Waits until the client's machine reports that the port is closed. Fails after 60 s.
void wait_for_refusal(const UdpSender& sender) {
  pollfd error{sender.descriptor(), 0, 0};
  ASSERT_EQ(::poll(&error, 1, 60'000), 1);
}

TEST(UdpSender, CountsEachRefusalAndContinuesWithoutAListener) {
  const wire::Endpoint closed_port = *wire::Endpoint::parse("127.0.0.1:1", 1);
  const auto sender = UdpSender::open(sending_to(closed_port));
  ASSERT_TRUE(sender) << sender.error().text;
  const auto datagram = ExampleSession(1).configuration();
  for (int i = 0; i < 5; ++i) {
    (*sender)->send(datagram);
    ASSERT_NO_FATAL_FAILURE(wait_for_refusal(**sender));
  }
  (*sender)->send(datagram);
  EXPECT_EQ((*sender)->counts().refused, 5u);
  EXPECT_EQ((*sender)->counts().unsent, 0u)
      << "each was sent after the refusal of the previous one";
}

TEST(UdpSender, RejectsAServerAddressOfAnotherMachine) {
  Config config = sending_to(*wire::Endpoint::parse("192.0.2.7", 9091));
  config.server = *wire::Endpoint::parse("192.0.2.1", 0);
  const auto sender = UdpSender::open(config);
  ASSERT_FALSE(sender);
  EXPECT_THAT(sender.error().text,
              ::testing::HasSubstr("server must be an address of this machine"));
}

}  // namespace
}  // namespace physmem::daemon
