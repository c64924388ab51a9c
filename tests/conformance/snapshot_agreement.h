// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "tests/conformance/difference.h"
#include "tests/conformance/snapshot_reader.h"

namespace physmem::conformance {

/// Every place in which two snapshots of the same stopped processes differ, line by line and field by field.
/// What /proc does not show is left out: page protection, raw flags, bits of page-table entries; the
/// identities of address spaces must correspond one to one.
std::vector<Difference> differences_between(const Snapshot& a, const Snapshot& b);

}  // namespace physmem::conformance
