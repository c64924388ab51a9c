// SPDX-License-Identifier: MIT
// Conditions that must hold for any samples.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "tests/fuzz/check.h"
#include "tools/monitor/profile_shape.h"
#include "tools/monitor/profile_text.h"

namespace physmem::monitor {

inline void check_series(const Series& series, std::size_t samples) {
  for (const Series::Panel& panel : series.panels)
    for (const Series::Line& line : panel.lines) {
      PHYSMEM_CHECK(line.points.size() == samples);
      for (const auto& [x, y] : line.points) PHYSMEM_CHECK(std::isfinite(x) && std::isfinite(y));
    }
}

/// A profile has all samples, only finite numbers, and a table with one line per sample.
inline void check_profile(const std::vector<Sample>& samples, std::optional<unsigned> hz,
                          CpuUnit unit) {
  const LabelledProfile labelled{"5", Profile(samples, hz, unit)};
  const Profile& profile = labelled.profile;
  PHYSMEM_CHECK(profile.samples().size() == samples.size());
  if (!profile.has_clock()) return;
  double before = 0;
  for (std::size_t i = 0; i < profile.samples().size(); ++i) {
    PHYSMEM_CHECK(std::isfinite(profile.cpu_percent(i)) && profile.seconds(i) >= before);
    before = profile.seconds(i);
  }
  const Totals totals = profile.totals();
  PHYSMEM_CHECK(std::isfinite(totals.cpu_percent()) && totals.seconds >= 0);
  std::ostringstream csv;
  write_csv(csv, profile);
  const std::string lines = csv.str();
  PHYSMEM_CHECK(std::count(lines.begin(), lines.end(), '\n') ==
                static_cast<std::ptrdiff_t>(samples.size()) + 1);
  check_series(faults_over_time({labelled}, ""), samples.size());
  const auto by_number = utilisation_by_number({labelled}, "");
  PHYSMEM_CHECK(by_number);
  check_series(*by_number, 1);
}

}  // namespace physmem::monitor
