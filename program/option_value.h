// SPDX-License-Identifier: MIT
// Option values that several programs share: one parser and one wording for each kind.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace physmem {

/// Returns `--option: found "…", expected …`. Control characters become \ooo.
std::string wrong_value(std::string_view option, std::string_view found, std::string_view expected);

/// Returns `--option: expected OTHER with it`, for an option that would have no effect otherwise.
std::string requires_option(std::string_view option, std::string_view other);

/// Returns `--option: found OTHER with it, expected only one of them`.
std::string conflicts_with(std::string_view option, std::string_view other);

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

}  // namespace physmem
