// SPDX-License-Identifier: MIT
// The memory cost of executable units on many machines over time. A fold over the rows of their
// snapshots, not over events.
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
    std::string max_host;  ///< the first host with that value
    /// Sum over hosts of the mean on each: the cost on all hosts at one time.
    double fleet = 0;
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
  /// Ordered by cost, highest first.
  std::vector<UnitDigestRow> rows() const;

 private:
  using HostNumber = std::uint32_t;
  struct HostSum {
    std::uint64_t snapshots = 0;  ///< those whose size is known
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
  /// The data of one path in one snapshot. Several files may have had this path.
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
