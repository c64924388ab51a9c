// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "tests/conformance/snapshot_reader.h"

namespace physmem::conformance {

/// Every way in which a snapshot contradicts itself, as sentences: areas that overlap, a `P:` that
/// is not what the pages of its area are, an `E:` that is not what the lines are.
std::vector<std::string> contradictions(const Snapshot& snapshot);

}  // namespace physmem::conformance
