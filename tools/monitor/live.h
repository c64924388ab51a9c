// SPDX-License-Identifier: MIT
// One line per second while the profiler runs.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "tools/monitor/profile_buffer.h"

namespace physmem::monitor {

/// The contents of one line.
struct LiveRates {
  double minor = 0;  ///< per second
  double major = 0;
  std::optional<double> cpu_percent = {};  ///< of one CPU; empty without a clock
  bool has_samples = false;
};

/// The samples later than `last`, in order. Handles a wrap of 32-bit jiffies in between.
std::vector<Sample> newer_than(const Sample& last, std::vector<Sample> samples);

/// The rates of samples that cover `seconds`.
LiveRates rates_of(const std::vector<Sample>& samples, double seconds, std::optional<unsigned> hz,
                   CpuUnit unit);

/// A line without newline. The bar is logarithmic: one character per factor of about 1.6 in major
/// faults per second, full at 10,000.
std::string live_line(const LiveRates& rates);

struct LiveOptions {
  std::optional<unsigned> hz;
  CpuUnit unit = CpuUnit::kJiffies;
  bool in_place = false;  ///< on a terminal, each line replaces the previous one
};

/// Runs until SIGINT or SIGTERM, or until `out` fails.
void show_live(const ProfileBuffer& buffer, std::ostream& out, const LiveOptions& options);

}  // namespace physmem::monitor
