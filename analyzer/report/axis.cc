// SPDX-License-Identifier: MIT
#include "analyzer/report/axis.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <ctime>

#include "analyzer/report/scale.h"
#include "program/moment.h"

namespace physmem {
namespace {

constexpr double kMaxNumber = 1e200;
/// Numbers that differ by less than this fraction are drawn as equal, because the precision of
/// double is not much better.
constexpr double kMinSpan = 1e-9;
/// If all numbers differ by less than this fraction, an axis from 0 would show a straight line.
constexpr double kNarrow = 0.1;

double size_of(const AxisRange& extent) {
  return std::max(std::abs(extent.min), std::abs(extent.max));
}

/// Adds room around equal numbers. Without numbers the range is 0 to 1.
AxisRange widened(AxisRange extent) {
  if (extent.is_empty()) return {0, 1};
  const double size = size_of(extent);
  if (size == 0) return {0, 1};
  if (extent.max - extent.min > size * kMinSpan) return extent;
  const double room = size * kMinSpan * 4;
  return {extent.min - room, extent.max + room};
}

struct Suffix {
  const char* text;
  double factor;
};

/// The suffix for numbers of five digits or more, as in "1.5M". One suffix for the whole axis.
Suffix suffix_for(double size) {
  constexpr double kFirstShortened = 1e4;
  static constexpr std::array<Suffix, 6> kSuffixes = {
      {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15}}};
  if (size < kFirstShortened) return kSuffixes[0];
  std::size_t i = 1;
  while (i + 1 < kSuffixes.size() && size >= kSuffixes[i + 1].factor) ++i;
  return kSuffixes[i];
}

/// The number of decimals that distinguishes two ticks.
int decimals_of(double step) {
  return std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
}

std::string text_of(double value, double step, const Suffix& suffix) {
  constexpr int kMaxShortDecimals = 2;
  constexpr int kMaxDecimals = 6;
  if (value == 0) return "0";
  const int short_decimals = decimals_of(step / suffix.factor);
  if (short_decimals <= kMaxShortDecimals)
    return fmt::format("{:.{}f}{}", value / suffix.factor, short_decimals, suffix.text);
  const int decimals = decimals_of(step);
  if (decimals <= kMaxDecimals) return fmt::format("{:.{}f}", value, decimals);
  return fmt::format("{:.{}g}", value, std::max(3, decimals - decimals_of(value) + 1));
}

void add_ticks(Axis& axis, double step) {
  const Suffix suffix = suffix_for(std::max(std::abs(axis.min), std::abs(axis.max)));
  const double end = axis.max / step + 1e-6;
  const double begin = std::ceil(axis.min / step - 1e-6);
  for (int i = 0; begin + i <= end; ++i)
    axis.ticks.push_back({(begin + i) * step, text_of((begin + i) * step, step, suffix)});
}

std::string power_text(int power) {
  const double value = std::pow(10, power);
  if (power < -4 || power > 17) return fmt::format("1e{}", power);
  if (power < 0) return fmt::format("{:.{}f}", value, -power);
  const Suffix suffix = suffix_for(value);
  return fmt::format("{:.0f}{}", value / suffix.factor, suffix.text);
}

constexpr std::int64_t kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;

/// The smallest step of whole times that fits into `span` seconds at most `limit` times.
std::int64_t clock_step(double span, std::size_t limit) {
  static constexpr std::array<std::int64_t, 19> kSteps = {
      1,       2,           5,           10,           15,           30,
      kMinute, 2 * kMinute, 5 * kMinute, 10 * kMinute, 15 * kMinute, 30 * kMinute,
      kHour,   2 * kHour,   3 * kHour,   6 * kHour,    12 * kHour,   kDay,
      2 * kDay};
  const double least = span / static_cast<double>(std::max<std::size_t>(limit, 1));
  for (const std::int64_t step : kSteps)
    if (static_cast<double>(step) >= least) return step;
  return kDay * static_cast<std::int64_t>(std::ceil(least / static_cast<double>(kDay)));
}

/// Of local time before UTC.
std::int64_t seconds_east(std::int64_t time) {
  const auto seconds = static_cast<std::time_t>(time);
  std::tm local{};
  return ::localtime_r(&seconds, &local) == nullptr ? 0 : local.tm_gmtoff;
}

std::string clock_tick_text(std::int64_t time, std::int64_t step) {
  const std::string clock = clock_text(time);  // 11:23:30
  if (clock == "00:00:00") return date_text(time).substr(5, 5);
  return step < kMinute ? clock : clock.substr(0, 5);
}

}  // namespace

bool is_drawable(double value) {
  return std::abs(value) <= kMaxNumber;  // false for NaN
}

std::string date_text(double days) {
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(static_cast<std::time_t>(days * 86400)));
}

double Axis::part(double value) const {
  if (is_logarithmic) return std::log(value / min) / std::log(max / min);
  return (value - min) / (max - min);
}

double Axis::value(double part) const {
  if (is_logarithmic) return min * std::pow(max / min, part);
  return min + part * (max - min);
}

Axis tight_axis(const AxisRange& extent, std::size_t limit, double min_step) {
  const auto [min, max] = widened(extent);
  Axis axis{min, max, false, {}};
  add_ticks(axis, std::max(min_step, nice_step(max - min, limit)));
  return axis;
}

Axis clock_axis(const AxisRange& extent, std::int64_t zero, std::size_t limit) {
  const auto [min, max] = widened(extent);
  Axis axis{min, max, false, {}};
  const std::int64_t step = clock_step(max - min, limit);
  const auto first = static_cast<std::int64_t>(std::ceil(min));
  const std::int64_t since_midnight = zero + first + seconds_east(zero);
  for (std::int64_t x = first + (step - since_midnight % step) % step;
       static_cast<double>(x) <= max; x += step)
    axis.ticks.push_back({static_cast<double>(x), clock_tick_text(zero + x, step)});
  return axis;
}

Axis rounded_axis(AxisRange extent, std::size_t limit) {
  extent = widened(extent);
  if (extent.max - extent.min >= size_of(extent) * kNarrow ||
      extent.max - extent.min <= size_of(extent) * kMinSpan * 10)
    extent.add(0);
  const double step = nice_step(extent.max - extent.min, limit);
  Axis axis{std::floor(extent.min / step + 1e-6) * step,
            std::ceil(extent.max / step - 1e-6) * step,
            false,
            {}};
  add_ticks(axis, step);
  return axis;
}

Axis logarithmic_axis(const AxisRange& extent, std::size_t limit) {
  constexpr int kMaxPowersWithLines =
      3;  // between the powers; with more, the lines would be too dense
  if (extent.is_empty()) return logarithmic_axis({1, 10}, limit);
  const int first = static_cast<int>(std::floor(std::log10(extent.min) + 1e-9));
  const int last = std::max(first + 1, static_cast<int>(std::ceil(std::log10(extent.max) - 1e-9)));
  Axis axis{std::pow(10, first), std::pow(10, last), true, {}};
  const int each = 1 + (last - first) / static_cast<int>(std::max<std::size_t>(limit, 1));
  for (int power = first; power <= last; ++power) {
    axis.ticks.push_back(
        {std::pow(10, power), (power - first) % each == 0 ? power_text(power) : ""});
    if (last - first > kMaxPowersWithLines || power == last) continue;
    for (int n = 2; n < 10; ++n) axis.ticks.push_back({n * std::pow(10, power), ""});
  }
  return axis;
}

}  // namespace physmem
