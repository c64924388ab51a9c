// SPDX-License-Identifier: MIT
// Option values that several programs share: one parser, one wording and one setter for each kind.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "program/duration.h"

namespace physmem {

/// Returns `--option: found "…", expected …`. Control characters become \ooo.
std::string wrong_value(std::string_view option, std::string_view found, std::string_view expected);

/// Returns `--option: expected OTHER with it`, for an option that would have no effect otherwise.
std::string requires_option(std::string_view option, std::string_view other);

/// Returns `--option: found OTHER with it, expected only one of them`.
std::string conflicts_with(std::string_view option, std::string_view other);

/// "a, b or c".
std::string one_of(const std::vector<std::string_view>& words);

/// Parses process ids from 1 to INT_MAX, such as "1,4711". Nothing for any other text, such as "",
/// "1," and "+1".
std::optional<std::vector<std::uint32_t>> parse_pids(std::string_view list);
inline constexpr const char* kPidsForm = "process ids separated by commas, such as 1,4711";

/// Parses a decimal number above 0 and up to `limit`, in any locale. Nothing for any other text,
/// such as "inf", "nan", "0x1" and " 1".
std::optional<double> parse_positive(std::string_view text, double limit);

/// All of `text` as a number, decimal in any locale.
template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return number;
}

/// A whole number, decimal or hexadecimal: 1057750, 0x1023d6.
std::optional<std::uint64_t> whole_number(std::string_view text);

/// Speed of a replay, as a factor of the original one; 0 for "max", as fast as possible. Nothing
/// for any other text.
inline constexpr double kMaxSpeed = 1e6;
inline constexpr const char* kSpeedForm = "a number above 0, at most 1000000, or max";
std::optional<double> speed_of(std::string_view text);

/// Service time of a major fault, in milliseconds.
inline constexpr double kMaxServiceTimeMs = 1e6;
inline constexpr const char* kServiceTimeForm =
    "milliseconds above 0 and up to 1000000, such as 8 or 0.2";

/// A duration in seconds.
inline constexpr double kMaxSeconds = 1e9;
inline constexpr const char* kSecondsForm =
    "seconds above 0 and up to 1000000000, such as 60 or 1.5";

/// The ending of an output's name that promises a form or a compression which snapshots and traces
/// do not have, such as .gz; empty if there is none.
std::string_view foreign_ending(std::string_view name);
inline constexpr const char* kSnapshotNames = "a name such as snap.txt, snap.pmc or snap.pmc.zst";

/// A member, or the member of a member: member_of<&Options::pace, &Pace::count>(options).
template <auto kMember, auto... kInner, class T>
auto& member_of(T& options) {
  if constexpr (sizeof...(kInner) == 0)
    return options.*kMember;
  else
    return member_of<kInner...>(options.*kMember);
}

/// Setters for members of any type of options, found by member_of(): set_jobs<&Options::jobs>.
inline constexpr std::size_t kMaxJobs = 1024;
template <auto... kMember, class T>
std::string set_jobs(T& options, const char* value) {
  const auto jobs = number_of<std::size_t>(value);
  if (!jobs || *jobs == 0 || *jobs > kMaxJobs)
    return "a number from 1 to " + std::to_string(kMaxJobs);
  member_of<kMember...>(options) = *jobs;
  return {};
}

/// For a set or vector of numbers. The option may be repeated.
template <auto... kMember, class T>
std::string add_pids(T& options, const char* value) {
  const auto added = parse_pids(value);
  if (!added) return kPidsForm;
  auto& pids = member_of<kMember...>(options);
  for (const std::uint32_t pid : *added) pids.insert(pids.end(), pid);
  return {};
}

/// For nanoseconds, at least kMinMs milliseconds.
template <std::uint64_t kMinMs, auto... kMember, class T>
std::string set_interval(T& options, const char* value) {
  const auto interval = parse_duration(value);
  if (!interval || *interval < kMinMs * (kSecondNs / 1000))
    return "a time of at least " + std::to_string(kMinMs) + "ms, such as 500ms, 5s, 1m or 5";
  member_of<kMember...>(options) = *interval;
  return {};
}

/// For an optional number. 0 stands for "max", which a replay that a user watches does not have.
enum class SpeedLimit { kAnySpeed, kNoMax };
template <SpeedLimit kLimit, auto... kMember, class T>
std::string set_speed(T& options, const char* value) {
  const std::optional<double> speed = speed_of(value);
  constexpr bool kHasMax = kLimit == SpeedLimit::kAnySpeed;
  if (!speed || (!kHasMax && *speed == 0))
    return kHasMax ? kSpeedForm : "a number above 0, at most 1000000";
  member_of<kMember...>(options) = speed;
  return {};
}

}  // namespace physmem
