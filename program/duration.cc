// SPDX-License-Identifier: MIT
#include "collector-proc/duration.h"

#include <array>

#include "collector-proc/text_cursor.h"

namespace physmem::collect {
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
  TextCursor cursor(text);
  const auto number = cursor.number();
  if (!number) return std::nullopt;
  for (const Unit& unit : kUnits)
    if (cursor.rest() == unit.name && *number < kMax / unit.ns) return *number * unit.ns;
  return std::nullopt;
}

std::string duration_text(std::uint64_t ns) {
  if (ns < kSecondNs) return std::to_string(ns / 1'000'000) + " ms";
  const std::uint64_t tenths = (ns + kSecondNs / 20) / (kSecondNs / 10);
  if (tenths < 100) return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
  return std::to_string((tenths + 5) / 10) + " s";
}

}  // namespace physmem::collect
