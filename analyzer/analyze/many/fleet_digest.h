// SPDX-License-Identifier: MIT
// The memory cost of executable units on many machines over time. A fold over the rows of their
// snapshots, not over events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/analyze/many/fleet_machines.h"
#include "analyzer/analyze/process/alerts.h"
#include "analyzer/analyze/process/unit_totals.h"
#include "analyzer/model/header.h"

namespace physmem {

/// A range of times; nothing if no snapshot has a time.
struct TimeSpan {
  std::optional<std::uint64_t> first_ns;
  std::optional<std::uint64_t> last_ns;

  void add(std::optional<std::uint64_t> time_ns);
};

/// Here a unit is identified by its path, because inodes differ between machines.
struct UnitDigestRow {
  std::string unit;  ///< empty: memory without a unit, which only alerts have
  std::uint64_t hosts = 0;
  std::uint64_t snapshots = 0;  ///< with this unit
  /// Bytes of distinct frames per snapshot, over the snapshots that list pages. Nothing if no
  /// snapshot does.
  struct Sizes {
    std::uint64_t min = 0;
    double mean = 0;
    std::uint64_t max = 0;
    std::string max_host;  ///< of several, the one whose machine is first in the order of names
    /// Sum over hosts of the mean on each: the cost on all hosts at one time.
    double fleet = 0;
    std::uint64_t hosts = 0;  ///< of that sum
  };
  std::optional<Sizes> sizes;
  TimeSpan seen;
  std::uint64_t alerts = 0;  ///< rows of --alerts, over all snapshots
};

/// Memory: machines × units. The result does not depend on the order of snapshots.
class FleetDigest {
 public:
  using MachineNumber = FleetMachines::Number;
  using UnitNumber = std::uint32_t;

  /// What one unit has in some snapshots of one machine.
  struct UnitSum {
    std::uint64_t snapshots = 0;
    std::uint64_t sized = 0;  ///< of these, those whose pages are known; the sizes are of them
    std::uint64_t bytes = 0;
    std::uint64_t min = 0;
    std::uint64_t max = 0;
    TimeSpan seen;
    std::uint64_t alerts = 0;
  };

  void add(const Header& header, const std::string& host, const std::vector<UnitTotalsRow>& units,
           const Alerts& alerts);

  /// The same for sums that were computed before. `host`: the name at `span`.last_ns.
  MachineNumber add_machine(const std::string& machine, const std::string& host,
                            std::uint64_t snapshots, const TimeSpan& span);
  UnitNumber number_of(const std::string& unit);
  void add_unit(UnitNumber unit, MachineNumber machine, const UnitSum& sum);

  std::uint64_t snapshots() const { return snapshots_; }
  std::uint64_t hosts() const { return machines_.size(); }
  const TimeSpan& span() const { return span_; }
  /// Ordered by cost, highest first.
  std::vector<UnitDigestRow> rows() const;

 private:
  struct MachineSum {
    MachineNumber machine = 0;
    std::uint64_t sized = 0;
    std::uint64_t bytes = 0;
  };
  struct Unit {
    /// In the order of numbers. Numbers grow, so most machines are added at the end.
    std::vector<MachineSum> machines;
    std::uint64_t snapshots = 0;
    std::uint64_t min = 0;
    std::uint64_t max = 0;
    MachineNumber max_machine = 0;
    bool is_size_known = false;
    TimeSpan seen;
    std::uint64_t alerts = 0;
  };

  static MachineSum& sum_of(Unit& unit, MachineNumber machine);
  UnitDigestRow row(const std::string& name, const Unit& unit,
                    const std::vector<std::size_t>& ranks) const;

  FleetMachines machines_;
  std::unordered_map<std::string, UnitNumber> numbers_;
  std::vector<Unit> units_;  ///< by number
  std::uint64_t snapshots_ = 0;
  TimeSpan span_;
};

}  // namespace physmem
