// SPDX-License-Identifier: MIT
// A time of day that a user types.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace physmem {

/// In the local time zone.
struct Moment {
  bool has_date = false;
  int year = 0, month = 0, day = 0;
  int hour = 0, minute = 0, second = 0;
};

/// "03:00", "3:00:15", "2026-11-29 03:00", also with a T between date and time. Nothing for any
/// other text.
std::optional<Moment> parse_moment(std::string_view text);
inline constexpr const char* kMomentForm = "a time such as 03:00 or '2026-11-29 03:00'";

/// "03:00:15" of seconds since 1970, in the local time zone.
std::string clock_text(std::int64_t seconds);
/// "2026-11-29 03:00:15 CET".
std::string date_text(std::int64_t seconds);

/// Seconds since 1970. Without a date, the last such time up to `latest`. Nothing if there is no
/// such day.
std::optional<std::int64_t> seconds_of(const Moment& moment, std::int64_t latest);

}  // namespace physmem
