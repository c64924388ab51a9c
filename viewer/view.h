// SPDX-License-Identifier: MIT
// The contents of one page. A view is asked for its next message after the socket has accepted the
// previous one, so there is no queue. A slow page is asked less often and gets the state of that
// moment.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace physmem::view {

struct Message {
  bool is_binary = false;
  std::string bytes;
};

/// A number of 64 bits in a message, as text: JSON numbers are exact up to 2^53 only.
inline std::string hex(std::uint64_t number) {
  return fmt::format("{:X}", number);
}

class View {
 public:
  using Time = std::chrono::steady_clock::time_point;

  virtual ~View() = default;
  /// Handles a text message from the page. Errors are sent as an answer.
  virtual void receive(std::string_view text) = 0;
  /// Empty if no message is due at `now`.
  virtual std::optional<Message> next(Time now) = 0;
};

}  // namespace physmem::view
