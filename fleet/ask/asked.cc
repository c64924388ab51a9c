// SPDX-License-Identifier: MIT
#include "fleet/ask/asked.h"

#include <chrono>

#include "fleet/model/report.h"
#include "program/option_value.h"

namespace physmem::fleet {
namespace {

constexpr std::uint64_t kMinute = 60, kHour = 3600;  // s

/// A number of exactly these digits.
std::optional<unsigned> digits(std::string_view text, std::size_t at, std::size_t count) {
  if (text.size() < at + count || text.find_first_not_of("0123456789", at) < at + count) return {};
  return number_of<unsigned>(text.substr(at, count));
}

std::optional<std::uint64_t> parse_date(std::string_view text) {
  using namespace std::chrono;
  const auto y = digits(text, 0, 4), m = digits(text, 5, 2), d = digits(text, 8, 2);
  if (!y || !m || !d || text[4] != '-' || text[7] != '-' || *y < 1970) return {};
  const year_month_day date{year(static_cast<int>(*y)), month(*m), day(*d)};
  if (!date.ok()) return {};
  return static_cast<std::uint64_t>(sys_days(date).time_since_epoch().count()) * kDay;
}

/// "T10", "T10:00" or "T10:00:00".
std::optional<std::uint64_t> parse_clock(std::string_view text) {
  std::uint64_t seconds = 0;
  constexpr std::uint64_t kUnits[]{kHour, kMinute, 1};
  constexpr unsigned kLimits[]{24, 60, 60};
  std::size_t at = 0;
  for (std::size_t i = 0; i < 3 && at < text.size(); ++i, at += 3) {
    const auto number = digits(text, at + 1, 2);
    if (text[at] != (i == 0 ? 'T' : ':') || !number || *number >= kLimits[i]) return {};
    seconds += *number * kUnits[i];
  }
  return at == text.size() ? std::optional(seconds) : std::nullopt;
}

std::optional<TimePoint> parse_ago(std::string_view text) {
  if (text.size() < 2) return {};
  std::uint64_t unit = 0;
  switch (text.back()) {
    case 'd':
      unit = kDay;
      break;
    case 'h':
      unit = kHour;
      break;
    case 'm':
      unit = kMinute;
      break;
    case 's':
      unit = 1;
      break;
    default:
      return {};
  }
  const auto number = number_of<std::uint32_t>(text.substr(0, text.size() - 1));
  if (!number) return {};
  return TimePoint{*number * unit, true};
}

}  // namespace

std::optional<TimePoint> parse_time(std::string_view text) {
  if (const auto ago = parse_ago(text)) return ago;
  if (text.ends_with('Z')) text.remove_suffix(1);
  const auto date = parse_date(text.substr(0, 10));
  const auto clock =
      text.size() > 10 ? parse_clock(text.substr(10)) : std::optional<std::uint64_t>(0);
  if (!date || !clock) return {};
  return TimePoint{*date + *clock, false};
}

}  // namespace physmem::fleet
