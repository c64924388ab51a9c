// SPDX-License-Identifier: MIT
// What one page sees. It is asked for its next message when its socket has taken the one before, so
// nothing is ever queued: a slow page is asked less often and gets the state of that moment.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace physmem::view {

struct Message {
  bool is_binary = false;
  std::string bytes;
};

class View {
 public:
  using Time = std::chrono::steady_clock::time_point;

  virtual ~View() = default;
  /// A text message of the page; what is wrong with it becomes an answer.
  virtual void receive(std::string_view text) = 0;
  /// Nothing: nothing is due at `now`.
  virtual std::optional<Message> next(Time now) = 0;
};

}  // namespace physmem::view
