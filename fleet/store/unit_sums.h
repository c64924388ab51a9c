// SPDX-License-Identifier: MIT
// Sums of the units of one machine at a time, in a store of SQLite.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "fleet/store/checked_sums.h"
#include "fleet/store/sqlite_database.h"

namespace physmem::fleet {

/// Least and greatest of what was added.
struct Range {
  std::uint64_t min = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t max = 0;

  void add(std::uint64_t value) {
    min = std::min(min, value);
    max = std::max(max, value);
  }
};

class UnitSums {
 public:
  struct Sums {
    std::uint64_t id = 0;
    std::uint64_t unit = 0;  ///< its number, in the order in which units occur first
    std::uint64_t snapshots = 0, sized = 0, bytes = 0, alerts = 0;
    Range sizes = {}, times = {};
  };

  /// A row of the part `facts` of fleet/sql/sqlite/units.sql: unit, size, time_ns, alerts. The
  /// sums are valid until the next call.
  const Sums& add(const SqliteArguments& fact);
  /// A row of its part `sums`.
  void add_sum(const SqliteArguments& sum);
  std::vector<Sums>& of_machine() { return sums_; }
  /// The next machine begins, without sums.
  void end_machine();
  Status status() const { return checked_.status(); }

 private:
  struct Unit {
    std::uint32_t number = 0;
    std::uint32_t machine = 0;  ///< the last one that has the unit
    std::uint32_t place = 0;    ///< in sums_, if that is the present one
  };

  /// A snapshot or day of a machine has mostly the units of the one before, in the same order.
  Sums& sums_of(std::uint64_t id) {
    if (next_ == sums_.size() || sums_[next_].id != id) next_ = place_of(id);
    return sums_[next_++];
  }
  std::size_t place_of(std::uint64_t id);

  CheckedSums checked_;
  std::uint32_t machine_ = 1;                      ///< number of the present one
  std::unordered_map<std::uint64_t, Unit> units_;  ///< of all machines so far
  std::vector<Sums> sums_;                         ///< of the present machine
  std::size_t next_ = 0;                           ///< after the one in sums_ that was used last
};

}  // namespace physmem::fleet
