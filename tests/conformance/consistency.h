// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "tests/conformance/snapshot_reader.h"

namespace physmem::conformance {

/// Every contradiction within a snapshot, as sentences: VMAs that overlap, a `P:` that does not
/// match the pages of its VMA, an `E:` that does not match the lines.
std::vector<std::string> contradictions(const Snapshot& snapshot);

}  // namespace physmem::conformance
