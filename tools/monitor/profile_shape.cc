// SPDX-License-Identifier: MIT
#include "tools/monitor/profile_shape.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

namespace physmem::monitor {
namespace {

std::string one_decimal(double value) {
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "%.1f", value);
  return text.data();
}

std::string note_on(const LabelledProfile& profile) {
  const Totals totals = profile.profile.totals();
  return profile.label + ": " + std::to_string(profile.profile.samples().size()) + " samples in " +
         one_decimal(totals.seconds) + " s, " + std::to_string(totals.minor) + " minor and " +
         std::to_string(totals.major) + " major faults, CPU " + one_decimal(totals.cpu_percent()) +
         " % of one CPU";
}

Series::Line accumulated(const LabelledProfile& from, std::int64_t Sample::*faults) {
  Series::Line line{.label = from.label};
  double sum = 0;
  for (std::size_t i = 0; i < from.profile.samples().size(); ++i) {
    sum += static_cast<double>(from.profile.samples()[i].*faults);
    line.points.emplace_back(from.profile.seconds(i), sum);
  }
  return line;
}

std::optional<double> number_of(const std::string& label) {
  double number = 0;
  const char* end = label.data() + label.size();
  const auto [stop, error] = std::from_chars(label.data(), end, number);
  if (error != std::errc{} || stop != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

}  // namespace

Series faults_over_time(const std::vector<LabelledProfile>& profiles, const std::string& title) {
  Series series{
      .title = title.empty() ? "Accumulated page faults" : title,
      .subtitle = "Of all registered processes, 20 samples per second; 0 is the first sample",
      .x_title = "time (s)"};
  Series::Panel minor{.title = "minor faults, accumulated"};
  Series::Panel major{.title = "major faults, accumulated"};
  for (const LabelledProfile& profile : profiles) {
    minor.lines.push_back(accumulated(profile, &Sample::minor));
    major.lines.push_back(accumulated(profile, &Sample::major));
    series.notes.push_back(note_on(profile));
  }
  series.panels = {std::move(minor), std::move(major)};
  return series;
}

Result<Series> utilisation_by_number(const std::vector<LabelledProfile>& profiles,
                                     const std::string& title) {
  Series series{.title = title.empty() ? "CPU utilisation by number of processes" : title,
                .subtitle = "Each point is one run, from its first sample to its last",
                .x_title = "number of processes N"};
  Series::Line utilisation{.label = "", .has_marks = true};
  Series::Line completion{.label = "", .has_marks = true};
  for (const LabelledProfile& profile : profiles) {
    const auto number = number_of(profile.label);
    if (!number)
      return Error{Error::Kind::kUsage, "--by-file: found the label \"" + profile.label +
                                            "\", expected a number of processes, as in 5=n5.data"};
    const Totals totals = profile.profile.totals();
    utilisation.points.emplace_back(*number, totals.cpu_percent());
    completion.points.emplace_back(*number, totals.seconds);
    series.notes.push_back("N = " + note_on(profile));
  }
  std::sort(utilisation.points.begin(), utilisation.points.end());
  std::sort(completion.points.begin(), completion.points.end());
  series.panels = {
      {.title = "total CPU utilisation (% of one CPU)", .lines = {std::move(utilisation)}},
      {.title = "completion time (s)", .lines = {std::move(completion)}}};
  return series;
}

}  // namespace physmem::monitor
