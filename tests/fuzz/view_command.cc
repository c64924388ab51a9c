// SPDX-License-Identifier: MIT
// Any messages of a page (the input, split at newlines) give commands, or errors with the reason. A
// view that receives all of them sends a bounded number of messages, of which the text messages are
// JSON.
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/fuzz/check.h"
#include "tests/unit/viewer/synthetic_source.h"
#include "viewer/live_view.h"

namespace {

using namespace physmem;

/// A hundred events. They are made once, because views do not change them. With a thousand, writing
/// and reading the log as JSON took most of the time.
const view::TraceFeed& feed() {
  static const view::TraceFeed* const kFeed = [] {
    auto* made = new view::TraceFeed({100, 10});
    SyntheticSource source({1000, 100, 131040, 262144, false});
    (void)source.pump(*made, {});
    return made;
  }();
  return *kFeed;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
  view::LiveShared shared{feed()};
  shared.control = [](const view::Replay& replay) {
    PHYSMEM_CHECK(!replay.speed || *replay.speed > 0);
  };
  view::LiveView page(shared);
  view::View::Time now{std::chrono::hours(1)};
  for (std::string line; std::getline(lines, line);) {
    const auto command = view::parse_command(line);
    PHYSMEM_CHECK(command || !command.error().text.empty());
    PHYSMEM_CHECK(command || command.error().text.size() < 8192);
    page.receive(line);
  }
  now += std::chrono::seconds(1);
  int messages = 0;
  while (const auto message = page.next(now)) {
    PHYSMEM_CHECK(++messages <= 12);
    PHYSMEM_CHECK(message->bytes.size() < 4u << 20);
    PHYSMEM_CHECK(message->is_binary ||
                  nlohmann::json::parse(message->bytes, nullptr, false).is_object());
  }
  return 0;
}
