// SPDX-License-Identifier: MIT
#include "analyzer/report/scale.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace physmem {

double nice_step(double max, std::size_t limit) {
  if (!(max > 0) || limit == 0) return 1;
  const double least = max / static_cast<double>(limit);
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

ByteUnit byte_unit(double bytes) {
  static constexpr std::array<const char*, 7> kNames = {"B",   "KiB", "MiB", "GiB",
                                                        "TiB", "PiB", "EiB"};
  ByteUnit unit{kNames[0], 1};
  for (std::size_t i = 1; i < kNames.size() && bytes >= unit.bytes * 1024; ++i)
    unit = {kNames[i], unit.bytes * 1024};
  return unit;
}

std::string tick_text(double value) {
  constexpr double kFifteenDigits = 1e15;
  if (value < kFifteenDigits && value == std::floor(value)) return fmt::format("{:.0f}", value);
  return fmt::format("{:.6g}", value);
}

}  // namespace physmem
