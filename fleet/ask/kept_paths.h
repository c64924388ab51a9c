// SPDX-License-Identifier: MIT
// Where snapshots are that can be opened.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fleet/ask/asked.h"
#include "fleet/ask/selected.h"
#include "fleet/store/store.h"
#include "program/result.h"

namespace physmem::fleet {

/// Paths of the places that the store names. If the user named the archive, files that are gone
/// have no path.
class KeptFiles {
 public:
  explicit KeptFiles(const Asked& asked) : archive_(asked.archive) {}

  /// A host may report any place, so it stays as it is if it leads out of the archive. Empty: gone.
  std::string path_of(const std::string& place);
  /// How many are gone, if any are.
  std::vector<std::string> notes() const;

 private:
  const std::string& archive_;
  std::uint64_t gone_ = 0;
};

/// The latest snapshot of each machine that can be opened.
using KeptPaths = std::map<std::string, std::string>;
Result<KeptPaths> last_kept_paths(Store& store, const Selected& selected, KeptFiles& files);
/// Empty if it has none.
std::string path_of_machine(const KeptPaths& paths, const std::string& machine);

}  // namespace physmem::fleet
