// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "collector-proc/counters_reader.h"

namespace physmem::collect {

/// Totals that are read several times while the frames are read, one after another. If a total
/// changes in the meantime, the number of frames of its class is near the mean of the readings,
/// not near the first or the last one. Unless pages came and went between two readings, it is
/// between the lowest and the highest.
class SampledTotals {
 public:
  void add(const std::vector<Counter>& totals) {
    ++times_;
    std::uint64_t came = 0, went = 0;
    for (const Counter& total : totals) {
      Sample& sample = samples_.emplace(total.name, total.value).first->second;
      if (total.name == "allocated") came = total.value - sample.last;
      if (total.name == "freed") went = total.value - sample.last;
      sample.last = total.value;
      sample.sum += total.value;
      sample.low = std::min(sample.low, total.value);
      sample.high = std::max(sample.high, total.value);
    }
    between_ = std::max(between_, std::min(came, went));
  }
  /// PREFIX.mean.NAME, and PREFIX.low.NAME and PREFIX.high.NAME if they are not the same; and
  /// PREFIX.between_readings, the most pages that came and went between two of them. Nothing if
  /// there are none.
  std::vector<Counter> counters(const std::string& prefix) const {
    std::vector<Counter> counters;
    const auto add = [&](const char* what, const std::string& name, std::uint64_t value) {
      counters.push_back({prefix + what + name, value});
    };
    for (const auto& [name, sample] : samples_) {
      add(".mean.", name, sample.sum / times_);
      if (sample.low == sample.high) continue;
      add(".low.", name, sample.low);
      add(".high.", name, sample.high);
    }
    if (times_ != 0) add(".between_readings", {}, between_);
    return counters;
  }

 private:
  struct Sample {
    explicit Sample(std::uint64_t value) : low(value), high(value), last(value) {}
    std::uint64_t sum = 0;
    std::uint64_t low;
    std::uint64_t high;
    std::uint64_t last;
  };

  std::uint64_t times_ = 0;
  std::uint64_t between_ = 0;
  std::map<std::string, Sample> samples_;
};

}  // namespace physmem::collect
