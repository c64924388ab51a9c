// SPDX-License-Identifier: MIT
// The time of day, which reports have, unlike a Clock.
#pragma once

#include <chrono>
#include <cstdint>

namespace physmem::fleet {

/// Seconds since 1970, UTC.
inline std::uint64_t seconds_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(now).count());
}

}  // namespace physmem::fleet
