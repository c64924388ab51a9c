// SPDX-License-Identifier: MIT
// Sums that stores make in C++. Those that SQL makes end with an error of the database.
#pragma once

#include <cstdint>

#include "fleet/model/limits.h"
#include "program/result.h"

namespace physmem::fleet {

/// Store::ask(), rollup() and expire() end with it. fleet/ask/too_large.h names the host.
inline Error too_large_sum() {
  return {Error::Kind::kTooLarge, "a sum of sizes is above 2^63 bytes"};
}

/// Adds up to sums, and remembers whether one of them was too large.
class CheckedSums {
 public:
  /// `value`: at most kMaxNumber.
  void add(std::uint64_t& sum, std::uint64_t value) {
    sum += value;
    is_too_large_ |= sum >= kMaxNumber;
  }
  Status status() const { return is_too_large_ ? Status(too_large_sum()) : Status(); }

 private:
  bool is_too_large_ = false;
};

}  // namespace physmem::fleet
