// SPDX-License-Identifier: MIT
// The numbers along an axis.
#pragma once

#include <cstddef>
#include <string>

namespace physmem {

/// The smallest step of 1, 2 or 5 times a power of ten that fits into `max` at most `limit` times.
/// 1 if max is 0.
double nice_step(double max, std::size_t limit);

struct ByteUnit {
  const char* name;
  double bytes;
};

/// The largest of B, KiB, … EiB that is not larger than `bytes`.
ByteUnit byte_unit(double bytes);

/// A whole number with up to 15 digits, other numbers in their shortest form.
std::string tick_text(double value);

}  // namespace physmem
