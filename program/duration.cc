// SPDX-License-Identifier: MIT
#include "program/duration.h"

#include <array>
#include <charconv>
#include <system_error>

namespace physmem {
namespace {

using std::string_view_literals::operator""sv;

struct Unit {
  std::string_view name;
  std::uint64_t ns;
};
constexpr std::array kUnits{Unit{""sv, kSecondNs}, Unit{"ms"sv, kSecondNs / 1000},
                            Unit{"s"sv, kSecondNs}, Unit{"m"sv, 60 * kSecondNs},
                            Unit{"h"sv, 3600 * kSecondNs}};
constexpr std::uint64_t kMax = kSecondNs * 3600 * 1000;
constexpr std::size_t kMaxDecimals = 3;

/// Removes the number at the beginning of the text.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(next - text.data()));
  return number;
}

}  // namespace

std::optional<std::uint64_t> parse_duration(std::string_view text) {
  const auto whole = take_number(text);
  if (!whole) return std::nullopt;
  std::uint64_t part = 0;  // in fractions of `one`
  std::uint64_t one = 1;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const std::size_t size = text.size();
    const auto digits = take_number(text);
    if (!digits || size - text.size() > kMaxDecimals) return std::nullopt;
    part = *digits;
    for (std::size_t i = text.size(); i < size; ++i) one *= 10;
  }
  for (const Unit& unit : kUnits)
    if (text == unit.name && *whole < kMax / unit.ns)
      return *whole * unit.ns + part * (unit.ns / one);
  return std::nullopt;
}

std::string duration_text(std::uint64_t ns) {
  if (ns < kSecondNs) return std::to_string(ns / 1'000'000) + " ms";
  const std::uint64_t tenths = (ns + kSecondNs / 20) / (kSecondNs / 10);
  if (tenths < 100) return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
  return std::to_string((tenths + 5) / 10) + " s";
}

}  // namespace physmem
