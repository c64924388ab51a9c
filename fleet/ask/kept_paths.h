// SPDX-License-Identifier: MIT
// Where snapshots are that can be opened.
#pragma once

#include <map>
#include <string>

#include "fleet/ask/asked.h"
#include "fleet/ask/selected.h"
#include "fleet/store/store.h"
#include "program/result.h"

namespace physmem::fleet {

/// The place of a snapshot, in the archive that the user named. A host may report any place, so it
/// stays as it is if it leads out of the archive.
std::string path_of(const std::string& place, const Asked& asked);

/// Of each machine, the latest snapshot that can be opened.
using KeptPaths = std::map<std::string, std::string>;
Result<KeptPaths> last_kept_paths(Store& store, const Selected& selected, const Asked& asked);
/// Empty if it has none.
std::string path_of_machine(const KeptPaths& paths, const std::string& machine);

}  // namespace physmem::fleet
