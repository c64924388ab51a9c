// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "tests/conformance/difference.h"
#include "tests/conformance/kernel_flaws.h"
#include "tests/conformance/snapshot_reader.h"

namespace physmem::conformance {

/// How exactly two snapshots are compared.
struct Comparing {
  bool is_raw = false;  // also what /proc does not show: page protection, raw flags, bits of
                        // page-table entries
  bool spares_observers = true;  // counts of what may be mapped by the programs that look
  std::uint64_t flags_left_out = misleading_flags();  // of pages
};

/// Every place in which two snapshots of the same stopped processes differ, line by line and field
/// by field. The identities of address spaces must correspond one to one.
std::vector<Difference> differences_between(const Snapshot& a, const Snapshot& b,
                                            const Comparing& how = {});

}  // namespace physmem::conformance
