// SPDX-License-Identifier: MIT
// Which snapshots are to be removed from a store.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fleet/ask/asked.h"
#include "fleet/store/store.h"
#include "program/result.h"

namespace physmem::fleet {

struct Removal {
  Selection selection;                  ///< for Store::remove()
  std::vector<std::string> hosts = {};  ///< names_of() the machines, sorted
  std::uint64_t snapshots = 0;
  /// Some of them are of days that have only sums: the midnight before which these are; otherwise
  /// 0.
  std::uint64_t expired = 0;
};

/// The snapshots of Asked::hosts from `since` on and before `until`; without these, of all times,
/// also of those to come.
Result<Removal> find_removal(Store& store, const Asked& asked);

/// What was removed, or would be, in one or two lines.
std::vector<std::string> report_of(const Removal& removal, bool is_dry_run, bool is_whole);

}  // namespace physmem::fleet
