// SPDX-License-Identifier: MIT
// Over real sockets: requests and answers of a page, and the cost of a malicious or slow page.
#include <gmock/gmock.h>

#include <future>
#include <semaphore>
#include <thread>
#include <utility>

#include "tests/unit/manual_clock.h"
#include "tests/unit/viewer/page_client.h"
#include "tests/unit/viewer/running_server.h"

namespace physmem::view {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::HasSubstr;

TEST(LiveServer, SendsTheFedEvents) {
  RunningServer server;
  server.feed(4000);
  PageClient page(server.port(), server.target("/live"));
  EXPECT_EQ(page.wait_for("hello")["recording"], true);
  const json state = page.wait_for("state");  // repeated only when it changes
  EXPECT_EQ(state["ins"], 2000);
  EXPECT_EQ(state["outs"], 2000);
  page.send({{"want", "pages"}, {"begin", "100"}});
  const std::string cells = page.wait_for_binary(1);
  ASSERT_GE(cells.size(), 12u);
  EXPECT_EQ(u32(cells, 8), 1792u) << "frames 100 to 7FF";
  page.send({{"want", "slots"}, {"area", 0}, {"begin", "0"}});
  EXPECT_EQ(u32(page.wait_for_binary(2), 8), 2000u);
  page.send({{"want", "process"}, {"tgid", 300}});
  EXPECT_EQ(page.wait_for("process", [](const json& p) { return p["tgid"] == 300; })["last"].size(),
            10u);
  page.send({{"want", "log"}, {"tgid", 301}});
  const json log = page.wait_for("log", [](const json& l) {
    return l.contains("reset") && !l["lines"].empty() && l["lines"].back()["tgid"] == 301;
  });
  EXPECT_EQ(log["reset"], true);
  page.send({{"inspect", "frame"}, {"at", "100"}});
  EXPECT_EQ(page.wait_for("inspection")["event"]["seq"], 2);
  page.send({{"cursor", 999}});
  EXPECT_EQ(page.wait_for("state", [](const json& s) { return s["t"] == 999; })["ins"], 500);
  server.feed(10);
  page.send({{"cursor", "live"}});
  EXPECT_EQ(page.wait_for("state", [](const json& s) { return s["live"] == true; })["ins"], 2005);
}

TEST(LiveServer, AnswersMalformedMessagesAndKeepsTheConnection) {
  RunningServer server;
  server.feed(10);
  PageClient page(server.port(), server.target("/live"));
  for (const std::string& text : {std::string("{"), std::string(5000, ' ')}) {
    page.send_text(text);
    EXPECT_TRUE(page.wait_for("error").is_string()) << text.substr(0, 10);
  }
  page.send_text("\xFF");
  // A text message with invalid UTF-8 violates the WebSocket protocol, which closes the connection.
  // Other connections are not affected.
  EXPECT_EQ(page.wait_for("error"), nullptr);
  EXPECT_TRUE(page.was_closed());
  PageClient other(server.port(), server.target("/live"));
  other.send_binary("\x01\x02");
  EXPECT_TRUE(other.wait_for("error").is_string());
  other.send({{"inspect", "frame"}, {"at", "100"}});
  EXPECT_NE(other.wait_for("inspection"), nullptr);
  other.send_text(std::string(100'000, 'x'));
  EXPECT_EQ(other.wait_for("inspection"), nullptr);
  EXPECT_TRUE(other.was_closed()) << "far too long";
  EXPECT_EQ(PageClient(server.port(), server.target("/live")).status(), 101);
}

// 200 commands are read immediately, and one more before they are counted. Then 200 per second are
// read.
TEST(LiveServer, Reads200CommandsPerSecond) {
  ManualClock clock;
  RunningServer server({}, clock);
  server.feed(10);
  PageClient page(server.port(), server.target("/live"));
  for (int i = 0; i < 500; ++i) page.send({{"inspect", "frame"}, {"at", "100"}});
  page.send({{"cursor", 3}});
  // A page that reads nothing would stop the server, once its answers fill the socket.
  auto last_state = std::async(std::launch::async, [&page] {
    return page.wait_for("state", [](const json& s) { return s["t"] == 3; });
  });
  const auto commands_read = [&] { return server.events().counts().commands; };
  const auto wait_for_commands = [&](std::size_t n) {
    EXPECT_TRUE(server.events().wait_for([n](const auto& counts) { return counts.commands >= n; }));
    server.wait_for_looks(3);
  };
  wait_for_commands(201);
  EXPECT_EQ(commands_read(), 201u);
  clock.advance(6ms);
  wait_for_commands(202);
  EXPECT_EQ(commands_read(), 202u);
  clock.advance(60s);
  wait_for_commands(402);
  EXPECT_EQ(commands_read(), 402u) << "a minute without commands permits no more than 200 at once";
  clock.advance(1s);
  wait_for_commands(501);
  clock.advance(1s);
  EXPECT_EQ(last_state.get()["live"], false);
}

struct Read {
  std::size_t bytes = 0;
  json state;  ///< the last one
};

/// Reads messages until the state has this number of swap-ins.
Read read_until(PageClient& page, std::uint64_t ins) {
  Read read;
  for (;;) {
    const auto received = page.next();
    if (!received) return read;
    read.bytes += received->bytes.size();
    if (received->is_binary || !received->json.contains("state")) continue;
    read.state = received->json["state"];
    if (read.state["ins"] == ins) return read;
  }
}

// Both pages show a block in which each round changes every frame and slot. The server serves the
// slow page first, so it is served once the other page has the state of the round.
TEST(LiveServer, SendsABoundedAmountThenThePresentToASlowPage) {
  constexpr int kBuffer = 64 << 10;
  constexpr std::uint64_t kRounds = 50;
  constexpr std::uint64_t kFrames = 0x700;
  constexpr std::uint64_t kEventsPerRound = 2 * kFrames;
  ManualClock clock;
  ServerOptions options;
  options.send_buffer = kBuffer;
  RunningServer server(options, clock,
                       {.frames = kFrames + 0x200, .slots = kFrames, .is_paced = false});
  PageClient slow(server.port(), server.target("/live"), {}, kBuffer);
  PageClient other(server.port(), server.target("/live"));
  for (PageClient* page : {&slow, &other}) {
    page->send({{"want", "pages"}, {"begin", "100"}});
    page->send({{"want", "slots"}, {"area", 0}, {"begin", "0"}});
  }
  ASSERT_TRUE(server.events().wait_for([](const auto& counts) { return counts.commands == 4; }));
  std::size_t all_bytes = 0;
  for (std::uint64_t round = 1; round <= kRounds; ++round) {
    server.feed(kEventsPerRound);
    clock.advance(1s);
    all_bytes += read_until(other, round * kEventsPerRound / 2).bytes;
  }
  const Read late = read_until(slow, kRounds * kEventsPerRound / 2);
  EXPECT_FALSE(slow.was_closed());
  EXPECT_GT(all_bytes, std::size_t{16} * kBuffer) << "too little was fed to judge";
  EXPECT_LT(late.bytes, std::size_t{8} * kBuffer)
      << "the kernel doubles both buffers, and one message waits for room";
  // The log comes before or after the state. A state is sent again when it has changed.
  const auto has_skipped = [](const json& state) { return state["skipped"] > 0; };
  clock.advance(1s);
  EXPECT_TRUE(has_skipped(late.state) || slow.wait_for("state", has_skipped) != nullptr);
}

TEST(LiveServer, KeepsThePageOpenAfterTheEndOfTheSource) {
  RunningServer server;
  SyntheticSource source({1000, 500, 131040, 262144, false});
  PageClient page(server.port(), server.target("/live"));
  server.pump(source);
  const json state = page.wait_for("state", [](const json& s) { return s["ended"] == true; });
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(state["ins"], 250);
  page.send({{"inspect", "frame"}, {"at", "100"}});
  EXPECT_NE(page.wait_for("inspection"), nullptr);
  EXPECT_EQ(server.source_error(), "");
}

/// Fails on the first call.
class BrokenSource : public EventSource {
 public:
  Result<State> pump(PagingSink&, std::chrono::milliseconds) override {
    return Error{Error::Kind::kBadInput, "storm.trace:7: broken"};
  }
};

/// Blocks the server's thread at each command until the test releases it.
class HeldView : public View {
 public:
  struct Locks {
    std::counting_semaphore<> received{0};
    std::counting_semaphore<> go_on{0};
    std::promise<void> is_gone;
  };
  explicit HeldView(Locks& locks) : locks_(locks) {}
  HeldView(const HeldView&) = delete;
  HeldView& operator=(const HeldView&) = delete;
  ~HeldView() override { locks_.is_gone.set_value(); }
  void receive(std::string_view) override {
    locks_.received.release();
    locks_.go_on.acquire();
    has_message_ = true;
  }
  std::optional<Message> next(Time) override {
    if (!std::exchange(has_message_, false)) return {};
    return Message{false, "{}"};
  }

 private:
  Locks& locks_;
  bool has_message_ = true;
};

TEST(LiveServer, ClosesAConnectionThatIsResetWithBufferedCommands) {
  HeldView::Locks locks;
  boost::asio::io_context io;
  ServerOptions options;
  options.token = "secret";
  Server server(io, options, "", [&] { return std::make_unique<HeldView>(locks); });
  ASSERT_TRUE(server.listen());
  std::thread thread([&] { io.run(); });
  PageClient page(server.port(), "/live?token=secret");
  page.send_text("a");
  locks.received.acquire();
  page.send_text("b");
  page.send_text("c");
  page.send_text("d");
  locks.go_on.release();
  locks.received.acquire();  // b is being handled, c and d are in the server's buffer
  page.abort_connection();   // resets it, as a message is unread; the next write fails
  locks.go_on.release(10);
  EXPECT_EQ(locks.is_gone.get_future().wait_for(60s), std::future_status::ready);
  boost::asio::post(io, [&] { server.close(); });
  thread.join();
}

TEST(LiveServer, ReportsABrokenSource) {
  RunningServer server;
  BrokenSource source;
  PageClient page(server.port(), server.target("/live"));
  server.pump(source);
  EXPECT_EQ(page.wait_for("state", [](const json& s) { return s["ended"] == true; })["ins"], 0);
  EXPECT_EQ(server.source_error(), "storm.trace:7: broken");
}

}  // namespace
}  // namespace physmem::view
