// SPDX-License-Identifier: MIT
#include "top/screen/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "program/duration.h"
#include "program/printable.h"
#include "top/screen/styled.h"

namespace physmem::top {
namespace {

/// The characters of a text; a stray byte is one.
std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t length = std::max(utf8_length(text), std::size_t{1});
    parts.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return parts;
}

/// Three significant digits: "1.23", "12.3", "123".
std::string three_digits(double value) {
  return fmt::format("{:.{}f}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

}  // namespace

std::string clipped(std::string_view text, std::size_t columns) {
  std::string head;
  std::size_t used = 0;
  for (const std::string_view part : characters(text)) {
    const std::size_t width = terminal_width(part);
    if (used + width > columns) break;
    used += width;
    head += part;
  }
  return head;
}

std::string shortened(std::string_view text, std::size_t columns) {
  return columns < 3 ? clipped(text, columns) : in_columns(text, columns);
}

std::string left_aligned(std::string_view text, std::size_t columns) {
  const std::string result = isolated(shortened(text, columns));
  const std::size_t used = terminal_width(result);
  return used < columns ? result + std::string(columns - used, ' ') : result;
}

std::string right_aligned(std::string_view text, std::size_t columns) {
  const std::string result = isolated(shortened(text, columns));
  const std::size_t used = terminal_width(result);
  return used < columns ? std::string(columns - used, ' ') + result : result;
}

std::string size_text(std::optional<std::uint64_t> kib) {
  if (!kib) return "-";
  if (*kib == 0) return "0";
  constexpr std::array kUnits{"K", "M", "G", "T", "P"};
  auto value = static_cast<double>(*kib);
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  if (unit == 0) return fmt::format("{}K", *kib);
  return three_digits(value) + kUnits[unit];
}

std::string at_least_text(std::uint64_t kib) {
  constexpr std::array kUnits{"K", "M", "G", "T", "P"};
  std::uint64_t tenths = kib * 10;
  std::size_t unit = 0;
  for (; tenths >= 10000 && unit + 1 < kUnits.size(); ++unit) tenths /= 1024;
  const std::string number = tenths >= 100 || unit == 0
                                 ? std::to_string(tenths / 10)
                                 : fmt::format("{}.{}", tenths / 10, tenths % 10);
  return ">" + number + kUnits[unit];
}

std::string rate_text(std::optional<double> rate) {
  if (!rate) return "-";
  constexpr std::array kUnits{"", "k", "M", "G"};
  double value = *rate;
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  return (unit == 0 ? fmt::format("{:.0f}", value) : three_digits(value)) + kUnits[unit];
}

std::string percent_text(std::optional<double> percent) {
  if (!percent) return "-";
  return fmt::format("{:.{}f}", *percent, *percent < 99.95 ? 1 : 0);
}

std::string uptime_text(std::uint64_t ns) {
  const std::uint64_t minutes = ns / kSecondNs / 60;
  const std::uint64_t days = minutes / 60 / 24;
  return (days == 0 ? "" : fmt::format("{} d ", days)) +
         fmt::format("{}:{:02}", minutes / 60 % 24, minutes % 60);
}

std::string plain_text(const Line& line) {
  std::string text;
  for (const Span& span : line) text += span.text;
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::size_t columns_of(const Line& line) {
  std::size_t columns = 0;
  for (const Span& span : line) columns += terminal_width(span.text);
  return columns;
}

Line fitted(Line line, std::size_t columns) {
  std::size_t used = 0;
  for (Span& span : line) {
    span.text = clipped(span.text, columns - used);
    used += terminal_width(span.text);
  }
  if (used < columns)
    line.push_back(
        {line.empty() ? Style::kPlain : line.back().style, std::string(columns - used, ' ')});
  return line;
}

}  // namespace physmem::top
