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

}  // namespace

std::optional<std::uint64_t> parse_duration(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view name(next, static_cast<std::size_t>(end - next));
  for (const Unit& unit : kUnits)
    if (name == unit.name && number < kMax / unit.ns) return number * unit.ns;
  return std::nullopt;
}

std::string duration_text(std::uint64_t ns) {
  if (ns < kSecondNs) return std::to_string(ns / 1'000'000) + " ms";
  const std::uint64_t tenths = (ns + kSecondNs / 20) / (kSecondNs / 10);
  if (tenths < 100) return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
  return std::to_string((tenths + 5) / 10) + " s";
}

}  // namespace physmem
