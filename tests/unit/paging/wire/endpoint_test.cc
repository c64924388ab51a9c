// SPDX-License-Identifier: MIT
#include "paging/wire/endpoint.h"

#include <gtest/gtest.h>

namespace physmem::wire {
namespace {

std::string parsed(std::string_view text) {
  const Result<Endpoint> endpoint = Endpoint::parse(text, 9091);
  return endpoint ? endpoint->text() : "refused";
}

TEST(Endpoint, AcceptsIpv4AndIpv6AddressesWithAndWithoutPort) {
  EXPECT_EQ(parsed("192.0.2.1"), "192.0.2.1:9091");
  EXPECT_EQ(parsed("192.0.2.1:7"), "192.0.2.1:7");
  EXPECT_EQ(parsed("2001:db8::1"), "[2001:db8::1]:9091");
  EXPECT_EQ(parsed("[2001:db8::1]"), "[2001:db8::1]:9091");
  EXPECT_EQ(parsed("[2001:db8::1]:7"), "[2001:db8::1]:7");
  EXPECT_EQ(parsed("fe80::1%lo"), "[fe80::1]:9091");
}

TEST(Endpoint, RejectsNonNumericAddresses) {
  for (const char* text : {"", "localhost", "192.0.2", "192.0.2.1:", "192.0.2.1:0",
                           "192.0.2.1:65536", "192.0.2.1:7x", "[::1", "[::1]x", "[::1]:",
                           "::1:2:3:4:5:6:7:8:9", "192.0.2.1 ", "fe80::1%no-such-interface"})
    EXPECT_EQ(parsed(text), "refused") << text;
}

TEST(Endpoint, ComparesHostsIndependentlyOfNotation) {
  const auto endpoint = [](std::string_view text) { return *Endpoint::parse(text, 1); };
  EXPECT_TRUE(endpoint("192.0.2.1:1").is_same_host(endpoint("192.0.2.1:2")));
  EXPECT_TRUE(endpoint("192.0.2.1").is_same_host(endpoint("::ffff:192.0.2.1")));
  EXPECT_FALSE(endpoint("192.0.2.1").is_same_host(endpoint("192.0.2.2")));
  EXPECT_FALSE(endpoint("::1").is_same_host(endpoint("127.0.0.1")));
  EXPECT_FALSE(Endpoint().is_same_host(Endpoint()));
}

}  // namespace
}  // namespace physmem::wire
