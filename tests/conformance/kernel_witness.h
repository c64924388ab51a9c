// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "tests/conformance/difference.h"
#include "tests/conformance/snapshot_reader.h"

namespace physmem::conformance {

/// Every place in which a snapshot differs from what the kernel reports now about the same stopped
/// processes. Each page is compared with pagemap, kpagecount and kpageflags, and each page in
/// pagemap with the snapshot. This code is independent of any collector and reads entry by entry.
std::vector<Difference> differences_to_kernel(const Snapshot& snapshot);

}  // namespace physmem::conformance
