// SPDX-License-Identifier: MIT
// Metrics for a monitoring system, written by report/openmetrics.h.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace physmem {

struct MetricSample {
  std::vector<std::pair<std::string, std::string>> labels;
  std::variant<std::uint64_t, double> value;
};

struct MetricFamily {
  std::string name;  ///< without _total
  std::string unit;  ///< base unit and suffix of the name; empty: dimensionless
  std::string help;
  std::vector<MetricSample> samples;
  bool is_counter = true;  ///< false: a gauge
};

}  // namespace physmem
