// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "collector-proc/counters_reader.h"

namespace physmem::collect {

/// The mean of totals that are read several times while the frames are read, one after another:
/// what of a kind the frames show is its mean, not its number before or after.
class MeanTotals {
 public:
  void add(const std::vector<Counter>& totals) {
    ++times_;
    for (const Counter& total : totals) sums_[total.name] += total.value;
  }
  /// PREFIX.NAME; nothing if there are none.
  std::vector<Counter> counters(std::string_view prefix) const {
    std::vector<Counter> means;
    for (const auto& [name, sum] : sums_)
      means.push_back({std::string(prefix) + name, sum / times_});
    return means;
  }

 private:
  std::uint64_t times_ = 0;
  std::map<std::string, std::uint64_t> sums_;
};

}  // namespace physmem::collect
