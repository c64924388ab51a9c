// SPDX-License-Identifier: MIT
// Reads and folds snapshots, then serves them or writes them as one file.
#pragma once

#include <vector>

#include "viewer/moments.h"
#include "viewer/serve.h"

namespace physmem::view {

/// With --html nothing is served and `port` is not used.
Exit show_snapshots(const Serving& serving, OpenPort port, std::vector<NamedInput> inputs);

}  // namespace physmem::view
