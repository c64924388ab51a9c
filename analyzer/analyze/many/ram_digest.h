// SPDX-License-Identifier: MIT
// The whole of RAM of many machines over time: classes, slab caches and file systems of cached
// files. A fold over the ledgers of snapshots, not over events.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/analyze/many/fleet_machines.h"
#include "analyzer/analyze/ram/ledger.h"

namespace physmem {

enum class FleetOwnerKind {
  kSlab,
  kFileSystem,  ///< its type, as devices differ between machines; page cache, tmpfs and the like
};

/// What one snapshot contributes. Bytes, because page sizes may differ.
struct RamOfSnapshot {
  bool is_known = false;  ///< it has the whole of RAM
  std::map<std::string, std::uint64_t> classes = {};
  std::map<std::pair<FleetOwnerKind, std::string>, std::uint64_t> owners = {};

  static RamOfSnapshot of(const Ledger& ledger);
};

/// Over all snapshots with the whole of RAM; 0 bytes where the name does not occur.
struct RamDigestRow {
  std::string name;
  std::uint64_t hosts = 0;      ///< with this name
  std::uint64_t snapshots = 0;  ///< likewise
  /// Unknown of the rest of owners.
  struct Range {
    std::uint64_t min = 0;
    std::uint64_t max = 0;
    std::string max_host;  ///< of several, the one whose machine is first by identity
  };
  std::optional<Range> range;
  double mean = 0;
};

/// Memory: hosts × names. Of each kind of owner, kMaxNames names are distinguished; pages of later
/// names belong to the rest.
class RamDigest {
 public:
  static constexpr std::size_t kMaxNames = 4096;
  static constexpr std::size_t kShown = 20;

  /// What a class or an owner has in some snapshots of one machine.
  struct Sum {
    std::uint64_t snapshots = 0;
    std::uint64_t bytes = 0;
    std::uint64_t min = 0;
    std::uint64_t max = 0;
  };

  void add(const Header& header, const std::string& host, const RamOfSnapshot& ram);

  /// The same for sums that were computed before; `snapshots`: those with the whole of RAM.
  FleetMachines::Number add_machine(const std::string& machine, const std::string& host,
                                    std::uint64_t snapshots, std::optional<std::uint64_t> last_ns);
  void add_class(const std::string& name, FleetMachines::Number machine, const Sum& sum);
  void add_owner(FleetOwnerKind kind, const std::string& name, FleetMachines::Number machine,
                 const Sum& sum);

  /// Snapshots and hosts with the whole of RAM.
  std::uint64_t snapshots() const { return snapshots_; }
  std::uint64_t hosts() const { return machines_.size(); }
  /// The largest mean first.
  std::vector<RamDigestRow> classes() const;
  /// The kShown largest, then "other", the rest.
  std::vector<RamDigestRow> owners(FleetOwnerKind kind) const;

 private:
  struct Total {
    std::uint64_t snapshots = 0;
    long double bytes = 0;  ///< may be above 2^64, and is exact below
    std::uint64_t min = 0;
    std::uint64_t max = 0;
    std::set<FleetMachines::Number> machines = {};
    FleetMachines::Number max_machine = 0;
  };
  using Totals = std::map<std::string, Total>;

  void add(Total& total, FleetMachines::Number machine, const Sum& sum) const;
  std::vector<RamDigestRow> rows(const Totals& totals) const;

  std::uint64_t snapshots_ = 0;
  FleetMachines machines_;
  Totals classes_;
  std::map<FleetOwnerKind, Totals> owners_;
  std::map<FleetOwnerKind, long double> rest_;  ///< bytes of names beyond kMaxNames
};

}  // namespace physmem
