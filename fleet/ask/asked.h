// SPDX-License-Identifier: MIT
// What a user asks of a store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analyze/name_pattern.h"

namespace physmem::fleet {

/// A time as an option gives it: a date, or a duration before now.
struct TimePoint {
  std::uint64_t seconds = 0;  ///< since 1970, or before now
  bool is_ago = false;

  std::uint64_t at(std::uint64_t now) const {
    return !is_ago ? seconds : now - (seconds < now ? seconds : now);
  }
};
inline constexpr const char* kTimeForm =
    "a time in UTC such as 2026-11-21 or 2026-11-21T10:00:00Z, or a duration before now such as "
    "7d, 12h, 30m or 90s";
std::optional<TimePoint> parse_time(std::string_view text);

struct Asked {
  std::string question = {};
  std::uint64_t now = 0;  ///< s since 1970
  std::optional<std::uint64_t> since = {};
  std::optional<std::uint64_t> until = {};
  std::optional<std::uint64_t> before = {};  ///< of changes: the end of the time to compare with
  std::vector<NamePattern> hosts = {};       ///< empty: all
  std::vector<NamePattern> units = {};
  std::optional<std::size_t> top = {};
  bool is_full = false;      ///< of leaks: also what does not grow
  bool has_picture = false;  ///< the answer is drawn
  std::string archive = {};  ///< folder, for whole paths of snapshots; empty: paths below it

  /// The second at which an answer ends without `until`. Clocks that are ahead by an hour are
  /// common; a snapshot that is later is of a wrong clock, and would always be the latest.
  std::uint64_t present() const { return now + 3600; }
  /// Whether snapshots after present() do not count.
  bool ends_at_present() const { return !until && since.value_or(0) < present(); }
};

}  // namespace physmem::fleet
