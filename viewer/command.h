// SPDX-License-Identifier: MIT
// Commands from a page (protocol.md, "From the page").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "program/result.h"

namespace physmem::view {

/// Longer messages are errors.
inline constexpr std::size_t kMaxCommandBytes = 4096;

/// Block numbers count in units of 2048 frames or slots.
struct WantPages {
  std::uint64_t block = 0;
};
struct WantSlots {
  std::uint8_t area = 0;
  std::uint64_t block = 0;
};
struct WantProcess {
  std::uint32_t tgid = 0;
};
struct WantLog {
  std::uint32_t tgid = 0;
  bool all = false;  ///< include faults that moved no page
};
/// Requests the lines before the page's first one, given by its EVENT's `seq` and `t`.
struct WantLogBefore {
  std::uint64_t sequence = 0;
  std::uint32_t time_ms = 0;
};
/// Requests another snapshot of a series.
struct WantMoment {
  std::uint16_t number = 0;
};
struct WantViews {
  bool log = false;
  bool pages = false;
  bool processes = false;
  bool slots = false;
  bool statistics = false;
};
struct Inspect {
  enum class What : std::uint8_t { kFrame, kSlot, kAddress };
  What what = What::kFrame;
  std::uint64_t at = 0;
  std::uint8_t area = 0;   ///< for a slot
  std::uint32_t tgid = 0;  ///< for an address
};
struct MoveCursor {
  std::optional<std::uint32_t> time_ms = {};  ///< empty: live
  bool is_playing = false;                    ///< time advances from there
};
struct Replay {
  std::optional<double> speed;
  std::optional<bool> paused;
};

using Command = std::variant<WantPages, WantSlots, WantProcess, WantLog, WantLogBefore, WantMoment,
                             WantViews, Inspect, MoveCursor, Replay>;

Result<Command> parse_command(std::string_view text);

}  // namespace physmem::view
