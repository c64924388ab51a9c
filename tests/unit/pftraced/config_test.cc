// SPDX-License-Identifier: MIT
#include "tools/pftraced/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace physmem::daemon {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string error_of(std::string_view text) {
  const Result<Config> config = parse_config(text, "lab.conf");
  return config ? "none" : config.error().text;
}

TEST(Config, RequiresOnlyAClient) {
  const Result<Config> config = parse_config("client 192.0.2.7\n", "lab.conf");
  ASSERT_TRUE(config) << config.error().text;
  EXPECT_EQ(config->client.text(), "192.0.2.7:9091");
  EXPECT_FALSE(config->server);
  EXPECT_EQ(config->source, SourceChoice::kAuto);
  EXPECT_TRUE(config->processes.empty());
  EXPECT_FALSE(config->all_events);
  EXPECT_EQ(config->user, "nobody");
}

TEST(Config, AcceptsEveryKeyInAnyOrderWithComments) {
  const Result<Config> config = parse_config(R"(# the lab
port 9999   # before the client
	user  daemon
pid 371
pid 372
source bpf
all_events yes

client 2001:db8::7
server 2001:db8::1)",
                                             "lab.conf");
  ASSERT_TRUE(config) << config.error().text;
  EXPECT_EQ(config->client.text(), "[2001:db8::7]:9999");
  EXPECT_EQ(config->server->host(), "2001:db8::1");
  EXPECT_THAT(config->processes, ElementsAre(371, 372));
  EXPECT_EQ(config->source, SourceChoice::kBpf);
  EXPECT_TRUE(config->all_events);
  EXPECT_EQ(config->user, "daemon");
}

TEST(Config, StartsACommentOnlyAfterABlank) {
  EXPECT_EQ(error_of("client 192.0.2.7\r\nuser a#b # c"),
            "lab.conf:2: user: found \"a#b\", expected a name of /etc/passwd, or a number up to "
            "4294967294");
}

TEST(Config, PrefersThePortInTheClientAddress) {
  EXPECT_EQ(parse_config("client 192.0.2.7:7\nport 8", "c")->client.port(), 7);
}

TEST(Config, ReportsLineFoundAndExpected) {
  EXPECT_EQ(error_of("\n\nclients 192.0.2.7"),
            "lab.conf:3: found \"clients\", expected one of client, server, port, source, pid, "
            "all_events, user");
  EXPECT_EQ(error_of("client"), "lab.conf:1: client has no value, expected \"client VALUE\"");
  EXPECT_THAT(error_of("client localhost"),
              StartsWith("lab.conf:1: client: found \"localhost\", expected a numeric address"));
  EXPECT_EQ(error_of("client 192.0.2.7\nport 0"),
            "lab.conf:2: port: found \"0\", expected a port, 1 to 65535");
  EXPECT_EQ(error_of("client 192.0.2.7\nport 65536"),
            "lab.conf:2: port: found \"65536\", expected a port, 1 to 65535");
  EXPECT_EQ(error_of("source ftrace"),
            "lab.conf:1: source: found \"ftrace\", expected auto, kmod or bpf");
  EXPECT_EQ(error_of("pid 0"), "lab.conf:1: pid: found \"0\", expected the number of a process");
  EXPECT_EQ(error_of("pid 4 5"),
            "lab.conf:1: pid: found \"4 5\", expected the number of a process");
  EXPECT_EQ(error_of("all_events 1"), "lab.conf:1: all_events: found \"1\", expected yes or no");
  EXPECT_EQ(error_of("user a b"),
            "lab.conf:1: user: found \"a b\", expected a name of /etc/passwd, or a number up to "
            "4294967294");
  EXPECT_EQ(
      error_of("user 4294967295"),
      "lab.conf:1: user: found \"4294967295\", expected a name of /etc/passwd, or a number up to "
      "4294967294");
  EXPECT_EQ(error_of("user no-such-user"),
            "lab.conf:1: user: found \"no-such-user\", expected a name of /etc/passwd, or a number "
            "up to 4294967294");
  EXPECT_EQ(error_of("client 192.0.2.7\nuser 4294967294"), "none");
  EXPECT_EQ(error_of("client 192.0.2.7\nclient 192.0.2.8"),
            "lab.conf:2: a second client, the first is in line 1");
}

TEST(Config, RejectsAFileWithoutAClient) {
  EXPECT_EQ(error_of("# client 192.0.2.7\n"),
            "lab.conf: client is missing, expected a line such as "
            "\"client "
            "192.0.2.7\"");
  EXPECT_THAT(error_of(""), HasSubstr("client is missing"));
}

TEST(Config, RejectsClientAndServerOfDifferentAddressFamilies) {
  EXPECT_EQ(error_of("server 192.0.2.1\nclient ::1"),
            "lab.conf:1: server: found 192.0.2.1, expected an address of the client's kind (IPv4 "
            "or IPv6), line 2");
}

TEST(Config, ReplacesControlCharactersInMessages) {
  EXPECT_THAT(error_of("\x1B[31mclient 1"), HasSubstr("found \"?[31mclient\""));
  EXPECT_THAT(error_of("client \x1B[31m"),
              HasSubstr("client: found \"?[31m\", expected a numeric address"));
  EXPECT_LT(error_of(std::string(5000, 'x')).size(), 300u);
}

TEST(Config, ReportsAMissingFileAsAnIoError) {
  const Result<Config> config = read_config("/nonexistent/pftraced.conf");
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().kind, Error::Kind::kIo);
  EXPECT_THAT(config.error().text,
              StartsWith("/nonexistent/pftraced.conf: cannot open: No such file"));
}

}  // namespace
}  // namespace physmem::daemon
