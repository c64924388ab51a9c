// SPDX-License-Identifier: MIT
// Over real sockets: access control, and rejected requests.
#include "viewer/server.h"

#include <gmock/gmock.h>

#include <boost/asio/ip/tcp.hpp>
#include <list>

#include "tests/unit/viewer/page_client.h"
#include "tests/unit/viewer/running_server.h"
#include "viewer/http_session.h"

namespace physmem::view {
namespace {

using testing::HasSubstr;

std::string own(const RunningServer& server) {
  return "127.0.0.1:" + std::to_string(server.port());
}

TEST(Server, SendsThePageForARequestWithTheToken) {
  RunningServer server;
  const Answer answer = ask(server.port(), {server.target()});
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.body, HasSubstr("the page"));
  EXPECT_THAT(answer.policy, HasSubstr("default-src 'none'"));
  EXPECT_THAT(answer.policy, HasSubstr("frame-ancestors 'none'"));
  EXPECT_EQ(server.url(), "http://" + own(server) + "/?token=secret");
  const Answer head = ask(server.port(), {server.target(), {}, {}, "HEAD"});
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.body, "");
}

TEST(Server, RejectsRequestsWithoutTheToken) {
  RunningServer server;
  EXPECT_EQ(ask(server.port(), {"/"}).status, 403);
  EXPECT_EQ(ask(server.port(), {"/?token=wrong"}).status, 403);
  EXPECT_THAT(ask(server.port(), {"/"}).body, testing::Not(HasSubstr("the page")));
  EXPECT_EQ(PageClient(server.port(), "/live").status(), 0);
  EXPECT_EQ(PageClient(server.port(), "/live?token=wrong").status(), 0);
  EXPECT_EQ(server.clients(), 0u);
}

TEST(Server, ServesAClientWithTheTokenDespiteManyIdleConnections) {
  namespace asio = boost::asio;
  ServerOptions options;
  options.max_connections = 8;
  RunningServer server(options);
  PageClient first(server.port(), server.target("/live"));
  asio::io_context io;
  std::list<asio::ip::tcp::socket> idle;  // connections without a request
  for (int i = 0; i < 20; ++i)
    idle.emplace_back(io).connect({asio::ip::address_v4::loopback(), server.port()});
  EXPECT_EQ(ask(server.port(), {server.target()}).status, 200);
  EXPECT_EQ(PageClient(server.port(), server.target("/live")).status(), 101);
  EXPECT_NE(first.wait_for("hello"), nullptr) << "an open page stays connected";
}

TEST(Server, RejectsAnotherHostOrOrigin) {
  RunningServer server;
  EXPECT_EQ(
      ask(server.port(), {server.target(), "evil.example:" + std::to_string(server.port())}).status,
      421);
  EXPECT_EQ(ask(server.port(), {server.target(), own(server), "http://evil.example"}).status, 403);
  EXPECT_EQ(PageClient(server.port(), server.target("/live"), "http://evil.example").status(), 0);
  EXPECT_EQ(PageClient(server.port(), server.target("/live"), "http://" + own(server)).status(),
            101);
}

TEST(Server, RejectsUnknownPathsAndMethods) {
  RunningServer server;
  EXPECT_EQ(ask(server.port(), {server.target("/etc/passwd")}).status, 404);
  EXPECT_EQ(ask(server.port(), {server.target("/../../etc/passwd")}).status, 404);
  EXPECT_EQ(ask(server.port(), {server.target(), {}, {}, "POST"}).status, 405);
  EXPECT_EQ(ask(server.port(), {server.target("/live")}).status, 426) << "no WebSocket";
}

TEST(Server, RejectsLongAndMalformedRequests) {
  RunningServer server;
  EXPECT_THAT(ask_raw(server.port(), "nonsense\r\n\r\n"), HasSubstr("400 Bad Request"));
  const std::string long_header =
      "GET / HTTP/1.1\r\nHost: " + own(server) + "\r\nX: " + std::string(10000, 'x') + "\r\n\r\n";
  EXPECT_THAT(ask_raw(server.port(), long_header), testing::Not(HasSubstr("200 OK")));
  const std::string with_body = "GET " + server.target() + " HTTP/1.1\r\nHost: " + own(server) +
                                "\r\nContent-Length: 100000\r\n\r\n" + std::string(1000, 'x');
  EXPECT_THAT(ask_raw(server.port(), with_body), testing::Not(HasSubstr("200 OK")));
  EXPECT_EQ(ask(server.port(), {server.target()}).status, 200) << "the server continues";
}

TEST(Server, LimitsTheNumberOfPages) {
  ServerOptions options;
  options.max_clients = 2;
  RunningServer server(options);
  PageClient first(server.port(), server.target("/live"));
  auto second = std::make_unique<PageClient>(server.port(), server.target("/live"));
  EXPECT_EQ(first.status(), 101);
  EXPECT_EQ(second->status(), 101);
  EXPECT_EQ(PageClient(server.port(), server.target("/live")).status(), 0);
  EXPECT_EQ(server.clients(), 2u);
  second->abort_connection();
  EXPECT_TRUE(server.events().wait_for([](const auto& counts) { return counts.open == 1; }));
  EXPECT_EQ(server.clients(), 1u);
  EXPECT_EQ(PageClient(server.port(), server.target("/live")).status(), 101);
}

TEST(Server, ReportsWhyItCannotListen) {
  RunningServer first;
  ServerOptions options;
  options.port = first.port();
  RunningServer second(options);
  EXPECT_THAT(second.error(),
              HasSubstr("cannot listen on 127.0.0.1 port " + std::to_string(first.port())));
  EXPECT_THAT(second.error(), HasSubstr("in use"));
  ServerOptions name;
  name.address = "box.example";
  EXPECT_THAT(RunningServer(name).error(), HasSubstr("expected a numeric address"));
}

TEST(Server, UsesThePolicyOfThePage) {
  EXPECT_EQ(
      policy_of(
          R"(<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:">)"),
      "default-src 'none'; img-src data:; frame-ancestors 'none'");
  EXPECT_EQ(policy_of("<p>"),
            "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
}

}  // namespace
}  // namespace physmem::view
