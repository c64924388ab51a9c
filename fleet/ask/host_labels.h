// SPDX-License-Identifier: MIT
// Names of hosts, of which several machines may have the same.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "fleet/store/store.h"
#include "program/result.h"

namespace physmem::fleet {

/// "web1", or "web1 [3f5c20a1]" if several machines have this name: with the id, which --host
/// takes, or the beginning of it.
class HostLabels {
 public:
  void add(const std::string& host, const std::string& machine) { machines_[host].insert(machine); }
  std::string of(const std::string& host, const std::string& machine,
                 std::size_t shown = std::string::npos) const;

 private:
  std::map<std::string, std::set<std::string>> machines_;  ///< by name
};

/// Of all machines that the store has, by their latest names.
Result<HostLabels> labels_of_all(Store& store);

}  // namespace physmem::fleet
