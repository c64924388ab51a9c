// SPDX-License-Identifier: MIT
#include "program/moment.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <system_error>
#include <utility>

namespace physmem {
namespace {

/// Takes a number of 1 to `digits` digits from the front of the text. False: there is none, or it
/// is more than `most`.
bool take(std::string_view& text, std::size_t digits, int most, int& number) {
  const char* const end = text.data() + std::min(text.size(), digits);
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || number < 0 || number > most) return false;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  return true;
}

bool skip(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

bool take_date(std::string_view& text, Moment& moment) {
  moment.has_date = true;
  return take(text, 4, 9999, moment.year) && skip(text, "-") && take(text, 2, 12, moment.month) &&
         moment.month > 0 && skip(text, "-") && take(text, 2, 31, moment.day) && moment.day > 0 &&
         skip(text, " T");
}

std::string local_text(std::int64_t seconds, const char* form) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm local{};
  std::array<char, 64> text{};
  if (::localtime_r(&time, &local) == nullptr) return "";
  return {text.data(), std::strftime(text.data(), text.size(), form, &local)};
}

}  // namespace

std::string clock_text(std::int64_t seconds) {
  return local_text(seconds, "%H:%M:%S");
}

std::string date_text(std::int64_t seconds) {
  return local_text(seconds, "%F %T %Z");
}

std::optional<Moment> parse_moment(std::string_view text) {
  Moment moment;
  if (text.find('-') != std::string_view::npos && !take_date(text, moment)) return std::nullopt;
  if (!take(text, 2, 23, moment.hour) || !skip(text, ":") || !take(text, 2, 59, moment.minute))
    return std::nullopt;
  if (skip(text, ":") && !take(text, 2, 59, moment.second)) return std::nullopt;
  return text.empty() ? std::optional(moment) : std::nullopt;
}

std::optional<std::int64_t> seconds_of(const Moment& moment, std::int64_t latest) {
  const auto latest_time = static_cast<std::time_t>(latest);
  std::tm day{};
  if (::localtime_r(&latest_time, &day) == nullptr) return std::nullopt;
  if (moment.has_date) {
    day.tm_year = moment.year - 1900;
    day.tm_mon = moment.month - 1;
    day.tm_mday = moment.day;
  }
  for (const int days_before : {0, 1}) {
    std::tm time = day;
    time.tm_mday -= days_before;
    time.tm_hour = moment.hour;
    time.tm_min = moment.minute;
    time.tm_sec = moment.second;
    time.tm_isdst = -1;  // as it is on that day
    const std::time_t seconds = ::mktime(&time);
    const bool is_other_day = moment.has_date && time.tm_mday != moment.day;
    if (seconds == -1 || is_other_day) return std::nullopt;
    if (moment.has_date || seconds <= latest_time) return seconds;
  }
  return std::nullopt;
}

Result<std::size_t> index_at(const Moment& moment, const std::vector<std::int64_t>& times) {
  const auto bad = [](std::string text) { return Error{Error::Kind::kBadInput, std::move(text)}; };
  if (times.empty()) return bad("there are no snapshots");
  const auto [first, last] = std::minmax_element(times.begin(), times.end());
  const auto wanted = seconds_of(moment, *last);
  if (!wanted) return bad("there is no such day");
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (times[i] <= *wanted && (!found || times[i] >= times[*found])) found = i;
  if (found) return *found;
  return bad("found " + date_text(*wanted) + ", expected a time from " + date_text(*first) +
             " on, where the recording begins");
}

}  // namespace physmem
