// SPDX-License-Identifier: MIT
// The zones of a snapshot before its processes, from counters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/model/ram.h"
#include "analyzer/parse/events.h"

namespace physmem {

/// Collects zone.NODE.NAME.first and .spanned. The other numbers of these zones are not known.
class ZoneCounters {
 public:
  void on_header() {
    zones_.clear();
    numbers_.clear();
  }
  void on_counters(std::span<const Counter> counters);
  const std::vector<Zone>& zones() const { return zones_; }

 private:
  void add(const Counter& counter);

  std::vector<Zone> zones_;
  std::map<std::pair<std::uint64_t, std::string>, std::size_t> numbers_;  ///< by node and name
};

}  // namespace physmem
