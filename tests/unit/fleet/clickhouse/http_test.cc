// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_http.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <thread>
#include <vector>

#include "fleet/store/open_store.h"
#include "program/unique_fd.h"

namespace physmem::fleet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using Kind = HttpOutcome::Kind;

/// Answers the connections to a port of 127.0.0.1 one after another, each with these bytes, and
/// closes them.
class CannedServer {
 public:
  explicit CannedServer(std::vector<std::string> answers, bool reads = true)
      : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listener_.get(), 8), 0);
    ::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    if (reads) thread_ = std::thread([this, answers] { serve(answers); });
  }
  ~CannedServer() {
    ::shutdown(listener_.get(), SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
  }
  CannedServer(const CannedServer&) = delete;
  CannedServer& operator=(const CannedServer&) = delete;

  std::string url() const { return "clickhouse+http://127.0.0.1:" + std::to_string(port_) + "/d"; }
  ClickhouseHttp client(const std::string& settings = "") const {
    const auto url = parse_clickhouse_url("clickhouse+http://" + settings +
                                          "127.0.0.1:" + std::to_string(port_) + "/d?timeout=2");
    return {*url, url->hosts[0]};
  }
  /// Joins the thread.
  const std::vector<std::string>& requests() {
    if (thread_.joinable()) thread_.join();
    return requests_;
  }

 private:
  void serve(const std::vector<std::string>& answers) {
    for (const std::string& answer : answers) {
      const UniqueFd connection(::accept(listener_.get(), nullptr, nullptr));
      if (!connection) return;
      requests_.push_back(request(connection.get()));
      std::size_t sent = 0;
      while (sent < answer.size()) {
        const ssize_t count =
            ::send(connection.get(), answer.data() + sent, answer.size() - sent, MSG_NOSIGNAL);
        if (count <= 0) break;
        sent += static_cast<std::size_t>(count);
      }
    }
  }

  static std::string request(int connection) {
    std::string text;
    std::array<char, 4096> bytes{};
    for (;;) {
      const ssize_t count = ::recv(connection, bytes.data(), bytes.size(), 0);
      if (count <= 0) return text;
      text.append(bytes.data(), static_cast<std::size_t>(count));
      const std::size_t body = text.find("\r\n\r\n");
      const std::size_t length = text.find("Content-Length: ");
      if (body != text.npos && length != text.npos &&
          text.size() >= body + 4 + std::stoul(text.substr(length + 16)))
        return text;
      if (text.find("Transfer-Encoding: chunked") != text.npos && text.ends_with("\r\n0\r\n\r\n"))
        return text;
    }
  }

  UniqueFd listener_;
  int port_ = 0;
  std::thread thread_;
  std::vector<std::string> requests_;
};

std::string ok(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

TEST(ClickhouseHttp, SendsAQuestionAsBody) {
  CannedServer server({ok("answer")});
  ClickhouseHttp client = server.client("ann:secret@");
  std::string answer;
  const HttpOutcome outcome =
      client.send({"SELECT 1", {}, {{"wait_end_of_query", "1"}}}, [&](std::string_view piece) {
        answer += piece;
        return true;
      });
  EXPECT_TRUE(outcome) << outcome.text;
  EXPECT_EQ(answer, "answer");
  const std::string& request = server.requests().at(0);
  EXPECT_THAT(request, StartsWith("POST /?wait_end_of_query=1 HTTP/1.1\r\n"));
  EXPECT_THAT(request, HasSubstr("Authorization: Basic YW5uOnNlY3JldA==\r\n"));
  EXPECT_THAT(request, testing::EndsWith("\r\n\r\nSELECT 1"));
}

TEST(ClickhouseHttp, SendsRowsAsBodyAndTheStatementInTheAddress) {
  CannedServer server({ok("")});
  ClickhouseHttp client = server.client();
  TextRows rows({"x\t&\n\0", 5});
  rows.next();
  EXPECT_TRUE(client.send({"INSERT INTO t (a)", &rows, {}}));
  const std::string& request = server.requests().at(0);
  EXPECT_THAT(request, StartsWith("POST /?query=INSERT%20INTO%20t%20%28a%29 HTTP"));
  EXPECT_THAT(request, testing::EndsWith(std::string("\r\n\r\n5\r\nx\t&\n\0\r\n0\r\n\r\n", 19)));
  EXPECT_THAT(request, testing::Not(HasSubstr("Authorization")));
}

TEST(ClickhouseHttp, TakesAnExceptionWithStatus200ForAnError) {
  CannedServer server(
      {ok("Code: 60, e.displayText() = DB::Exception: Table d.t doesn't exist\n, e.what()")});
  ClickhouseHttp client = server.client();
  TextRows rows("row\n");
  const HttpOutcome outcome = client.send({"INSERT", &rows, {}});
  EXPECT_EQ(outcome.kind, Kind::kRefused);
  EXPECT_EQ(outcome.code, 60);
  EXPECT_THAT(outcome.text, HasSubstr("store 127.0.0.1:"));
  EXPECT_THAT(outcome.text, HasSubstr("Table d.t doesn't exist , e.what()"));
}

TEST(ClickhouseHttp, NamesTheShardThatIsDown) {
  const std::string body =
      "Code: 279, e.displayText() = DB::NetException: All connection tries failed. Log: \n\n"
      "Code: 210, e.displayText() = DB::NetException: Connection refused: (10.0.0.2:9000), "
      "e.what()";
  CannedServer server(
      {"HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\n"
       "Content-Length: " +
       std::to_string(body.size()) + "\r\n\r\n" + body});
  ClickhouseHttp client = server.client();
  const HttpOutcome outcome = client.send({"SELECT", {}, {}});
  EXPECT_EQ(outcome.kind, Kind::kBusy);
  EXPECT_EQ(outcome.code, 279);
  EXPECT_THAT(outcome.text, HasSubstr("no answer from shard 10.0.0.2:9000: Code: 279"));
}

TEST(ClickhouseHttp, ReadsTheCodeOfTheHeader) {
  CannedServer server(
      {"HTTP/1.1 200 OK\r\nX-ClickHouse-Exception-Code: 241\r\n"
       "Connection: close\r\nContent-Length: 3\r\n\r\nbad"});
  ClickhouseHttp client = server.client();
  const HttpOutcome outcome = client.send({"SELECT", {}, {}}, [](std::string_view) {
    ADD_FAILURE() << "a part of an error is no answer";
    return true;
  });
  EXPECT_EQ(outcome.kind, Kind::kBusy);
  EXPECT_EQ(outcome.code, 241);
}

TEST(ClickhouseHttp, KnowsThatACutAnswerIsLost) {
  for (const std::string& answer :
       {std::string(""), std::string("HTTP/1.1 200 OK\r\n"),
        std::string("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nten bytes."),
        std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")}) {
    CannedServer server({answer});
    ClickhouseHttp client = server.client();
    const HttpOutcome outcome =
        client.send({"SELECT", {}, {}}, [](std::string_view) { return true; });
    EXPECT_EQ(outcome.kind, Kind::kLost) << answer;
    EXPECT_TRUE(outcome.may_be_repeated());
    EXPECT_THAT(outcome.text, StartsWith("store 127.0.0.1:"));
  }
}

TEST(ClickhouseHttp, GivesUpOnASilentServer) {
  const CannedServer server({}, false);
  ClickhouseHttp client = server.client();
  const HttpOutcome outcome = client.send({"SELECT", {}, {}});
  EXPECT_EQ(outcome.kind, Kind::kLost);
  EXPECT_THAT(outcome.text, HasSubstr("timed out"));
}

TEST(ClickhouseHttp, ReportsStatusesOfProxies) {
  const auto answer = [](const std::string& status) {
    return "HTTP/1.1 " + status + "\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno";
  };
  CannedServer server({answer("503 Service Unavailable"), answer("403 Forbidden"),
                       answer("302 Found"), "HTTP/1.1 500 x\r\nContent-Length: 0\r\n\r\n"});
  ClickhouseHttp client = server.client();
  EXPECT_EQ(client.send({"SELECT", {}, {}}).kind, Kind::kBusy);
  const HttpOutcome forbidden = client.send({"SELECT", {}, {}});
  EXPECT_EQ(forbidden.kind, Kind::kRefused);
  EXPECT_THAT(forbidden.text, HasSubstr("HTTP status 403: no"));
  EXPECT_EQ(client.send({"SELECT", {}, {}}).kind, Kind::kRefused);
  EXPECT_EQ(client.send({"SELECT", {}, {}}).kind, Kind::kRefused);
}

TEST(ClickhouseHttp, StopsWhenTheReaderDoes) {
  CannedServer server({ok("answer")});
  ClickhouseHttp client = server.client();
  const HttpOutcome outcome =
      client.send({"SELECT", {}, {}}, [](std::string_view) { return false; });
  EXPECT_EQ(outcome.kind, Kind::kStopped);
}

TEST(ClickhouseHttp, ReportsThatNobodyListens) {
  std::string place;
  {
    const CannedServer server({}, false);
    place = server.client().host();
  }
  const auto url = parse_clickhouse_url("clickhouse+http://" + place);
  ClickhouseHttp client(*url, place);
  const HttpOutcome outcome = client.send({"SELECT", {}, {}});
  EXPECT_EQ(outcome.kind, Kind::kLost);
  EXPECT_THAT(outcome.text, testing::AllOf(HasSubstr(place), HasSubstr("refused")));
}

TEST(ClickhouseHttp, NamesASumThatIsTooLarge) {
  const CannedServer server(
      {"HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\n"
       "X-ClickHouse-Exception-Code: 395\r\nContent-Length: 0\r\n\r\n"});
  EXPECT_EQ(server.client().send({"SELECT", {}, {}}).error().kind, Error::Kind::kTooLarge);
}

TEST(ClickhouseStore, ReportsOnceThatItSendsAgain) {
  const std::string busy =
      "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
  const std::string none = ok("{\n\t\"data\":\n\t[\n\t\t[0]\n\t],\n\n\t\"rows\": 1\n}\n");
  std::vector<std::string> notices;
  const auto take = [&](const std::string& notice) { notices.push_back(notice); };
  const CannedServer server({busy, busy, none});
  const auto store = open_store(server.url(), StoreAccess::kWrite, take);
  ASSERT_FALSE(store);
  EXPECT_THAT(store.error().text, HasSubstr("is not a store"));
  EXPECT_THAT(notices, ElementsAre(testing::AllOf(HasSubstr("HTTP status 503"),
                                                  HasSubstr("; trying again for up to 60 s"))));
  notices.clear();
  const CannedServer other({busy});
  EXPECT_FALSE(open_store(other.url(), StoreAccess::kRead, take));
  EXPECT_TRUE(notices.empty());
}

}  // namespace
}  // namespace physmem::fleet
