// SPDX-License-Identifier: MIT
// Percentiles of the sizes that units have in single snapshots, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "program/result.h"

namespace physmem::fleet {

/// Reads a day in passes. Equal sizes of a unit take the room of one. If there is no room for all
/// units, a pass leaves out those with the highest ids, and the next pass begins with them.
class UnitSizes {
 public:
  struct Totals {
    std::uint64_t id = 0;
    std::uint64_t machines = 0, snapshots = 0, bytes = 0;
    std::uint64_t min = 0, p50 = 0, p99 = 0, max = 0;  ///< percentiles of the nearest rank
  };

  /// A single unit may have more sizes than `max_sizes`, one for each of its snapshots.
  explicit UnitSizes(std::size_t max_sizes) : max_sizes_(max_sizes), limit_(max_sizes) {}

  /// Begins a pass with the units from `first` on.
  void begin(std::uint64_t first);
  /// `number`: the unit's number in all passes, from 0. `machine`: not 0; all sizes of one machine
  /// follow each other.
  void add(std::uint64_t id, std::size_t number, std::uint64_t machine, std::uint64_t size);
  /// The totals of the units of this pass, in the order of their ids.
  Result<std::vector<Totals>> totals();
  /// Where the next pass begins. Nothing: there are no more units.
  std::optional<std::uint64_t> next() const;

 private:
  static constexpr std::uint64_t kNoEnd = std::numeric_limits<std::uint64_t>::max();
  struct Size {
    std::uint64_t bytes;
    std::uint64_t snapshots;
  };
  struct Unit {
    std::uint64_t id = 0;
    std::uint64_t machine = 0;  ///< the last one that has the unit
    std::uint64_t machines = 0;
    std::vector<Size> sizes = {};
  };

  static void merge(std::vector<Size>& sizes);
  static Result<Totals> total_of(const Unit& unit);
  void make_room();
  std::vector<Unit*> by_id();

  std::size_t max_sizes_;
  std::size_t limit_;      ///< of sizes_ at which room is made
  std::size_t sizes_ = 0;  ///< in memory
  std::uint64_t first_ = 0, end_ = kNoEnd;
  std::vector<Unit> units_ = {};  ///< by number; those without sizes are not in this pass
};

}  // namespace physmem::fleet
