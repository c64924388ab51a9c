// SPDX-License-Identifier: MIT
// One line a second while the profiler runs.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "monitor/profile_buffer.h"

namespace physmem::profile {

/// What one line tells.
struct LiveRates {
  double minor = 0;  ///< a second
  double major = 0;
  std::optional<double> cpu_percent = {};  ///< of one CPU; unknown without a clock
  bool has_samples = false;
};

/// Samples that are later than `last`, in order. Both may lie on different sides of the place where
/// 32-bit jiffies begin anew.
std::vector<Sample> newer_than(const Sample& last, std::vector<Sample> samples);

/// The rates of the samples of `seconds`.
LiveRates rates_of(const std::vector<Sample>& samples, double seconds, std::optional<unsigned> hz,
                   CpuUnit unit);

/// Without its end. The bar is logarithmic: one character for each factor of about 1.6 of major
/// faults a second, full at 10,000.
std::string live_line(const LiveRates& rates);

struct LiveOptions {
  std::optional<unsigned> hz;
  CpuUnit unit = CpuUnit::kJiffies;
  bool in_place = false;  ///< a terminal: each line replaces the one before
};

/// Goes on until SIGINT or SIGTERM, or until `out` fails.
void show_live(const ProfileBuffer& buffer, std::ostream& out, const LiveOptions& options);

}  // namespace physmem::profile
