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
  // Also compares what /proc does not show: page protection, raw flags, bits of page-table entries.
  bool is_raw = false;
  // Tolerates different use counts of units that the observing programs may map.
  bool spares_observers = true;
  std::uint64_t flags_left_out = misleading_flags();  // of pages
};

/// Every field in which two snapshots of the same stopped processes differ. The identities of
/// address spaces must correspond one to one.
std::vector<Difference> differences_between(const Snapshot& a, const Snapshot& b,
                                            const Comparing& how = {});

}  // namespace physmem::conformance
