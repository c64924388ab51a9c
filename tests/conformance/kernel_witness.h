// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "tests/conformance/difference.h"
#include "tests/conformance/snapshot_reader.h"

namespace physmem::conformance {

/// Every place in which a snapshot is not what the kernel says now of the same stopped processes:
/// each page against pagemap, kpagecount and kpageflags, and each page that pagemap has against the
/// snapshot. Independent of any collector: one entry of one file after the other.
std::vector<Difference> differences_to_kernel(const Snapshot& snapshot);

}  // namespace physmem::conformance
