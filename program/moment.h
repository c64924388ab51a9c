// SPDX-License-Identifier: MIT
// A time of day that a user types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/result.h"

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

/// The index of the latest of `times` (seconds since 1970) that is not after the moment. The clock
/// may have been set back between them. An error if all are after it, or there is no such day.
Result<std::size_t> index_at(const Moment& moment, const std::vector<std::int64_t>& times);

}  // namespace physmem
