// SPDX-License-Identifier: MIT
// GET /metrics.
#include <gmock/gmock.h>

#include "tests/unit/viewer/page_client.h"
#include "tests/unit/viewer/running_server.h"
#include "viewer/metrics_feed.h"

namespace physmem::view {
namespace {

using testing::HasSubstr;

TEST(MetricsFeed, KeepsTheLastWholeText) {
  const std::string stream = "a 1\n# EOF\nb 2\n# EOF\nc 3\n";
  for (std::size_t size = 1; size <= stream.size(); ++size) {
    MetricsFeed feed;
    for (std::size_t at = 0; at < stream.size(); at += size)
      feed.add(std::string_view(stream).substr(at, size));
    EXPECT_EQ(feed.text(), "b 2\n# EOF\n") << size;
    feed.add("# EOF\n");
    EXPECT_EQ(feed.text(), "c 3\n# EOF\n") << size;
  }
}

TEST(MetricsFeed, IsEmptyBeforeTheFirstEnd) {
  MetricsFeed feed;
  feed.add("a{name=\"# EOF\"} 1\n# EO");
  EXPECT_EQ(feed.text(), "");
}

ServerOptions serving(std::string text) {
  ServerOptions options;
  options.metrics = [text = std::move(text)] { return text; };
  return options;
}

TEST(MetricsServer, AnswersThisMachineWithoutToken) {
  RunningServer server(serving("a 1\n# EOF\n"));
  EXPECT_EQ(server.url(), "http://127.0.0.1:" + std::to_string(server.port()) + "/metrics");
  const Answer answer = ask(server.port(), {"/metrics"});
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "a 1\n# EOF\n");
  EXPECT_THAT(ask_raw(server.port(), "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"),
              HasSubstr("\r\nContent-Type: application/openmetrics-text; version=1.0.0; "
                        "charset=utf-8\r\n"));
  const Answer head = ask(server.port(), {"/metrics", {}, {}, "HEAD"});
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.body, "");
}

TEST(MetricsServer, RequiresASecretTokenAlsoOfThisMachine) {
  ServerOptions options = serving("a 1\n# EOF\n");
  options.is_token_secret = true;
  RunningServer server(std::move(options));
  EXPECT_EQ(server.url(), "http://127.0.0.1:" + std::to_string(server.port()) + "/metrics");
  EXPECT_EQ(ask(server.port(), {"/metrics"}).status, 403);
  EXPECT_EQ(ask(server.port(), {"/metrics?token=secret"}).status, 200);
  EXPECT_THAT(ask_raw(server.port(),
                      "GET /metrics HTTP/1.1\r\nHost: localhost\r\n"
                      "Authorization: Bearer secret\r\n\r\n"),
              HasSubstr("200 OK"));
}

TEST(MetricsServer, HasNoPage) {
  RunningServer server(serving("a 1\n# EOF\n"));
  for (const char* path : {"/", "/live", "/?token=secret", "/metrics/x"})
    EXPECT_EQ(ask(server.port(), {path}).status, 404) << path;
  EXPECT_EQ(ask(server.port(), {"/metrics", "evil.example"}).status, 421);
  EXPECT_EQ(ask(server.port(), {"/metrics", {}, "http://evil.example"}).status, 403);
  EXPECT_EQ(ask(server.port(), {"/metrics", {}, {}, "POST"}).status, 405);
}

TEST(MetricsServer, IsUnavailableBeforeTheFirstCollection) {
  RunningServer server(serving(""));
  EXPECT_EQ(ask(server.port(), {"/metrics"}).status, 503);
}

TEST(MetricsServer, DoesNotExistForAPage) {
  RunningServer server;
  EXPECT_EQ(ask(server.port(), {"/metrics"}).status, 403);
  EXPECT_EQ(ask(server.port(), {server.target("/metrics")}).status, 404);
}

}  // namespace
}  // namespace physmem::view
