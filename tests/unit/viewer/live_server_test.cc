// SPDX-License-Identifier: MIT
// Over real sockets: what a page asks for and gets, and what a bad or slow one costs.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "tests/unit/viewer/page_client.h"
#include "tests/unit/viewer/running_server.h"

namespace physmem::view {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::HasSubstr;

std::uint64_t resident_kib() {
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 1024;
}

TEST(LiveServer, AnswersWithWhatWasFed) {
  RunningServer server;
  server.feed(4000);
  PageClient page(server.port(), server.target("/live"));
  EXPECT_EQ(page.wait_for("hello")["recording"], true);
  const json state = page.wait_for("state");  // said again only when it changes
  EXPECT_EQ(state["ins"], 2000);
  EXPECT_EQ(state["outs"], 2000);
  page.say({{"want", "pages"}, {"begin", "100"}});
  const std::string cells = page.wait_for_binary(1);
  ASSERT_GE(cells.size(), 12u);
  EXPECT_EQ(u32(cells, 8), 1792u) << "frames 100 to 7FF";
  page.say({{"want", "slots"}, {"area", 0}, {"begin", "0"}});
  EXPECT_EQ(u32(page.wait_for_binary(2), 8), 2000u);
  page.say({{"want", "process"}, {"tgid", 300}});
  EXPECT_EQ(page.wait_for("process", [](const json& p) { return p["tgid"] == 300; })["last"].size(), 10u);
  page.say({{"want", "log"}, {"tgid", 301}});
  const json log = page.wait_for("log", [](const json& l) {
    return l.contains("anew") && !l["lines"].empty() && l["lines"].back()["tgid"] == 301;
  });
  EXPECT_EQ(log["anew"], true);
  page.say({{"inspect", "frame"}, {"at", "100"}});
  EXPECT_EQ(page.wait_for("inspection")["event"]["seq"], 2);
  page.say({{"cursor", 999}});
  EXPECT_EQ(page.wait_for("state", [](const json& s) { return s["t"] == 999; })["ins"], 500);
  server.feed(10);
  page.say({{"cursor", "live"}});
  EXPECT_EQ(page.wait_for("state", [](const json& s) { return s["live"] == true; })["ins"], 2005);
}

TEST(LiveServer, BadMessagesAreAnsweredAndTheConnectionStays) {
  RunningServer server;
  server.feed(10);
  PageClient page(server.port(), server.target("/live"));
  for (const std::string& text : {std::string("{"), std::string(5000, ' ')}) {
    page.say_text(text);
    EXPECT_TRUE(page.wait_for("error").is_string()) << text.substr(0, 10);
  }
  page.say_text("\xFF");
  // A text that is no UTF-8 breaks the WebSocket's own rules: that ends it, and nothing else.
  EXPECT_EQ(page.wait_for("error"), nullptr);
  EXPECT_TRUE(page.was_closed());
  PageClient other(server.port(), server.target("/live"));
  other.say_binary("\x01\x02");
  EXPECT_TRUE(other.wait_for("error").is_string());
  other.say({{"inspect", "frame"}, {"at", "100"}});
  EXPECT_NE(other.wait_for("inspection"), nullptr);
  other.say_text(std::string(100'000, 'x'));
  EXPECT_EQ(other.wait_for("inspection"), nullptr);
  EXPECT_TRUE(other.was_closed()) << "far too long";
  EXPECT_EQ(PageClient(server.port(), server.target("/live")).status(), 101);
}

TEST(LiveServer, AFloodOfCommandsIsTakenAsFastAsItMay) {
  RunningServer server;
  server.feed(10);
  PageClient page(server.port(), server.target("/live"));
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 500; ++i) page.say({{"inspect", "frame"}, {"at", "100"}});
  page.say({{"cursor", 3}});
  EXPECT_EQ(page.wait_for("state", [](const json& s) { return s["t"] == 3; })["live"], false);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 1s) << "200 at once, then 200 a second";
}

TEST(LiveServer, APageThatReadsNothingGetsABoundedAmountThenThePresent) {
  RunningServer server;
  SyntheticSource storm({100'000, ~std::uint64_t{0}, 131040, 262144, true});
  PageClient slow(server.port(), server.target("/live"));
  slow.say({{"want", "pages"}, {"begin", "100"}});
  slow.say({{"want", "slots"}, {"area", 0}, {"begin", "0"}});
  server.pump(storm);
  std::this_thread::sleep_for(1s);
  [[maybe_unused]] const std::uint64_t before = resident_kib();
  std::this_thread::sleep_for(5s);
  // The folds and the history grow by what half a million events take; what waits for the page must not.
#ifndef __SANITIZE_ADDRESS__  // it keeps what is freed for a while
  EXPECT_LT(resident_kib() - before, 120'000u);
#endif
  const PagingSums now = server.sums();
  std::size_t bytes = 0;
  std::uint64_t ins = 0;
  while (ins < now.ins) {
    const auto received = slow.next();
    ASSERT_TRUE(received);
    bytes += received->bytes.size();
    if (!received->is_binary && received->json.contains("state")) ins = received->json["state"]["ins"];
  }
  EXPECT_LT(bytes, 8u << 20) << "what the two kernels' buffers hold, not five seconds of a storm";
  EXPECT_NE(slow.wait_for("state", [](const json& s) { return s["skipped"] > 0; }), nullptr);
}

TEST(LiveServer, TheEndOfASourceLeavesThePageOpen) {
  RunningServer server;
  SyntheticSource source({1000, 500, 131040, 262144, false});
  PageClient page(server.port(), server.target("/live"));
  server.pump(source);
  const json state = page.wait_for("state", [](const json& s) { return s["ended"] == true; });
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(state["ins"], 250);
  page.say({{"inspect", "frame"}, {"at", "100"}});
  EXPECT_NE(page.wait_for("inspection"), nullptr);
  EXPECT_EQ(server.source_error(), "");
}

/// Fails at once.
class BrokenSource : public EventSource {
 public:
  Result<State> pump(PagingSink&, std::chrono::milliseconds) override {
    return Error{Error::Kind::kBadInput, "storm.trace:7: broken"};
  }
};

TEST(LiveServer, ABrokenSourceIsTold) {
  RunningServer server;
  BrokenSource source;
  PageClient page(server.port(), server.target("/live"));
  server.pump(source);
  EXPECT_EQ(page.wait_for("state", [](const json& s) { return s["ended"] == true; })["ins"], 0);
  EXPECT_EQ(server.source_error(), "storm.trace:7: broken");
}

}  // namespace
}  // namespace physmem::view
