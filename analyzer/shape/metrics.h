// SPDX-License-Identifier: MIT
// Numbers for a monitoring system; report/openmetrics.h writes them.
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
  std::string unit;  ///< base unit, and the end of the name; empty: a number
  std::string help;
  std::vector<MetricSample> samples;
  bool is_counter = true;  ///< else a gauge
};

}  // namespace physmem
