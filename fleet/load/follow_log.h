// SPDX-License-Identifier: MIT
// What load --follow reports while it runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fleet/load/loader.h"

namespace physmem::fleet {

class FollowLog {
 public:
  /// Between two lines, at least.
  static constexpr std::uint64_t kIntervalNs = 600'000'000'000;

  /// A line about what was loaded since the last one; nothing if nothing was, or if it is too
  /// early. `loaded`: all so far.
  std::optional<std::string> line(const Loaded& loaded, std::uint64_t now_ns);

 private:
  Loaded reported_;
  std::optional<std::uint64_t> reported_ns_;
};

}  // namespace physmem::fleet
