// SPDX-License-Identifier: MIT
// What executable units cost many machines over a time: a fold over the rows of their snapshots,
// not over events.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/analyze/alerts.h"
#include "analyzer/analyze/unit_totals.h"
#include "analyzer/model/header.h"

namespace physmem {

/// A time from first to last; nothing where no snapshot has one.
struct TimeSpan {
  std::optional<std::uint64_t> first_ns;
  std::optional<std::uint64_t> last_ns;

  void add(std::optional<std::uint64_t> time_ns);
};

/// A unit is known by its path here: inodes differ from machine to machine.
struct UnitDigestRow {
  std::string unit;  ///< empty: memory of no unit, which only alerts tell of
  std::uint64_t hosts = 0;
  std::uint64_t snapshots = 0;  ///< that have it
  /// Distinct frames in one snapshot, in bytes, over those snapshots that list pages; nothing when
  /// none does.
  struct Sizes {
    std::uint64_t min = 0;
    double mean = 0;
    std::uint64_t max = 0;
    std::string max_host;  ///< the first one with that much
    double fleet =
        0;  ///< sum over hosts of the mean on each: what the unit costs all of them at one time
  };
  std::optional<Sizes> sizes;
  TimeSpan seen;
  std::uint64_t alerts = 0;  ///< rows of --alerts, over all snapshots
};

/// Memory: hosts × units.
class FleetDigest {
 public:
  void add(const Header& header, const std::string& host, const std::vector<UnitTotalsRow>& units,
           const Alerts& alerts);

  std::uint64_t snapshots() const { return snapshots_; }
  std::uint64_t hosts() const { return hosts_.size(); }
  const TimeSpan& span() const { return span_; }
  /// The one that costs most first.
  std::vector<UnitDigestRow> rows() const;

 private:
  using HostNumber = std::uint32_t;
  struct HostSum {
    std::uint64_t snapshots = 0;  ///< whose size is known
    std::uint64_t bytes = 0;
  };
  struct Unit {
    std::unordered_map<HostNumber, HostSum> hosts;
    std::uint64_t snapshots = 0;
    std::uint64_t min = 0;
    std::uint64_t max = 0;
    HostNumber max_host = 0;
    bool is_size_known = false;
    TimeSpan seen;
    std::uint64_t alerts = 0;
  };
  /// What one snapshot says of one path: several files may have had it.
  struct InSnapshot {
    std::uint64_t bytes = 0;
    bool has_pages = false;  ///< a row of --totals, not only alerts
    std::uint64_t alerts = 0;
  };

  void add(Unit& unit, const InSnapshot& found, const Header& header, HostNumber host);
  UnitDigestRow row(const std::string& name, const Unit& unit) const;

  std::unordered_map<std::string, HostNumber> hosts_;
  std::vector<std::string> names_;  ///< of hosts, by number
  std::map<std::string, Unit> units_;
  std::uint64_t snapshots_ = 0;
  TimeSpan span_;
};

}  // namespace physmem
