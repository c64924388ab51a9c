// SPDX-License-Identifier: MIT
#include "analyzer/shape/leak_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace physmem {
namespace {

using Kind = Column::Kind;

/// A number with about four significant digits.
std::string rounded(double value) {
  const double size = std::abs(value);
  if (size < 0.0005) return "0";
  return fmt::format("{:.{}f}", value, size >= 100 ? 0 : size >= 1 ? 1 : 3);
}

std::string time_unit(const LeakSearch& search) {
  return search.has_times() ? "s" : "snapshot";
}

std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{:.1f} h", seconds / 3600);
  return fmt::format("{:.0f} days", seconds / 86400);
}

double kib(double pages, const View& view) {
  return pages * static_cast<double>(view.header.page_size.bytes) / 1024;
}

std::string given_back(const LeakVerdict& v) {
  if (v.fall <= 0) return "nothing given back";
  return fmt::format("{:.1f} % given back", 100 * v.fall / v.growth);
}

}  // namespace

std::string confidence_name(Confidence confidence) {
  constexpr std::array kNames{"low", "medium", "high"};
  return kNames[static_cast<std::size_t>(confidence)];
}

std::string reason_name(LeakReason reason) {
  constexpr std::array kNames{"leak",       "too few samples", "too short to judge", "of a file",
                              "small",      "uncertain",       "gives back",         "one step",
                              "levels off", "moves",           "was mapped"};
  return kNames[static_cast<std::size_t>(reason)];
}

std::string span_text(const LeakSearch& search, double span) {
  if (search.has_times()) return fmt::format("{:.1f} s", span);
  return counted(static_cast<std::uint64_t>(span), "step");
}

std::optional<double> seconds_left(const LeakSearch& search, double rate, const View& view) {
  if (!search.has_times() || !search.available() || rate <= 0) return std::nullopt;
  return static_cast<double>(*search.available()) /
         (rate * static_cast<double>(view.header.page_size.bytes));
}

std::string left_text(std::optional<double> seconds) {
  if (!seconds) return "";
  return fmt::format("; available memory lasts {} at that rate", duration(*seconds));
}

std::string growth_text(const LeakSearch& search, const LeakVerdict& v, double span,
                        const View& view) {
  const double rate = kib(v.fit.slope, view), unit = rate >= 1024 ? 1024 : 1;
  return fmt::format(
      "{} ± {} {}/{}, {} in {}, {}", rounded(rate / unit),
      rounded(kib(v.fit.half_width, view) / unit), unit == 1 ? "KiB" : "MiB", time_unit(search),
      human_size(static_cast<std::uint64_t>(std::llround(v.growth)), view.header.page_size),
      span_text(search, span), counted(v.fit.points, "snapshot"));
}

std::string verdict_grounds(const LeakVerdict& v) {
  const std::string known =
      v.doubt() < 0.001 ? "better than 0.1 %" : fmt::format("{:.1f} %", 100 * v.doubt());
  std::string text = fmt::format("rate known to {}, {}", known, given_back(v));
  if (v.fit.points <= 4) text += fmt::format(", {} only", counted(v.fit.points, "sample"));
  return text;
}

std::vector<Column> growth_columns(const LeakSearch& search) {
  const std::string unit = time_unit(search);
  return {{"Samples"},
          {"First", Column::Kind::kSize},
          {"Last", Column::Kind::kSize},
          {"KiB/" + unit, Kind::kNumber, "rate_kib"},
          {"+-", Kind::kNumber, "rate_kib_half_width"},
          {"Full in s", Kind::kNumber, "full_in_s"},
          {"Confidence", Kind::kText}};
}

std::vector<Cell> growth_cells(const LeakVerdict& v, const std::vector<double>& pages,
                               std::optional<double> seconds_left, const View& view) {
  const bool has_rate = v.reason != LeakReason::kTooFewSamples;
  const auto known = [&](double value) { return has_rate ? Cell(value) : Cell(); };
  const auto whole = [](double n) { return static_cast<std::uint64_t>(std::max(n, 0.0)); };
  return {std::uint64_t{pages.size()},
          whole(pages.front()),
          whole(pages.back()),
          known(kib(v.fit.slope, view)),
          known(kib(v.fit.half_width, view)),
          v.is_leak() && seconds_left ? Cell(*seconds_left) : Cell(),
          v.is_leak() ? Cell(confidence_name(v.confidence)) : Cell()};
}

std::vector<std::string> spare_growth_columns(const LeakSearch& search) {
  return {"Standard error KiB",
          "Largest fall KiB",
          "Largest step KiB",
          "Late KiB/" + time_unit(search),
          "Samples",
          "+-",
          "Ended after",
          "Start",
          "Rest",
          "Identity",
          "First"};
}

std::vector<Column> verdict_columns(const LeakSearch& search) {
  return {{"Verdict", Kind::kText},
          {"Standard error KiB"},
          {"Largest fall KiB"},
          {"Largest step KiB"},
          {"Late KiB/" + time_unit(search), Kind::kNumber, "late_rate_kib"}};
}

std::vector<Cell> verdict_cells(const LeakVerdict& v, const View& view) {
  std::vector<Cell> cells{reason_name(v.reason)};
  if (v.reason == LeakReason::kTooFewSamples) return cells;
  cells.insert(cells.end(), {Cell(kib(v.fit.error, view)), Cell(kib(v.fall, view)),
                             Cell(kib(v.step, view)), Cell(kib(v.late_rate, view))});
  return cells;
}

}  // namespace physmem
