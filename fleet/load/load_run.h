// SPDX-License-Identifier: MIT
// physmem-fleet load: all files once, or new ones until a signal.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "fleet/load/loader.h"
#include "program/exit.h"

namespace physmem::fleet {

struct LoadSettings {
  std::vector<std::string> paths;  ///< "-" alone: standard input
  ReportSettings reports;
  bool follows = false;
  bool replaces = false;
  bool removes = false;      ///< files that the store has
  std::string archive = {};  ///< folder that keeps the snapshots; empty: none
};

/// Whether files were damaged or data is missing. The store has all reports that were added.
Result<bool> load(Store& store, const LoadSettings& settings, std::ostream& messages,
                  const char* program);

}  // namespace physmem::fleet
