// SPDX-License-Identifier: MIT
// What a machine keeps between two of its reports (physmem-fleet rows --state).
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "fleet/rows/snapshot_reports.h"
#include "program/result.h"

namespace physmem::fleet {

struct MachineState {
  std::string machine;
  std::string boot;
  std::uint64_t next = 0;  ///< number of the next report in this boot
  std::set<AlertKey> alerts;

  /// Nothing is known if there is no such file.
  static Result<MachineState> read(const std::string& path);
  Status write(const std::string& path) const;

  /// Numbers a report whose snapshot has no number.
  void number(SnapshotLine& line);
};

}  // namespace physmem::fleet
