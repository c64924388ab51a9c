// SPDX-License-Identifier: MIT
// The machines of many snapshots.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/model/header.h"

namespace physmem {

/// The identity of a machine: its machine_id, which stays when it is renamed, or otherwise
/// "name:HOST".
std::string machine_of(const Header& header, const std::string& host);

/// Machines by identity: two of one name are two, and a renamed one has the name of its latest
/// snapshot.
class FleetMachines {
 public:
  using Number = std::uint32_t;

  Number add(const std::string& id, const std::string& host, std::optional<std::uint64_t> time_ns);

  std::size_t size() const { return machines_.size(); }
  const std::string& host(Number machine) const { return machines_[machine].host; }
  /// By identity, so that an answer does not depend on the order of snapshots.
  bool is_before(Number a, Number b) const { return machines_[a].id < machines_[b].id; }
  /// The place of each machine in that order.
  std::vector<std::size_t> ranks() const;

 private:
  struct Machine {
    std::string id;
    std::string host;
    std::optional<std::uint64_t> last_ns;
  };
  std::unordered_map<std::string, Number> numbers_;
  std::vector<Machine> machines_;  ///< by number
};

}  // namespace physmem
