// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/conformance/difference.h"
#include "tests/conformance/snapshot_reader.h"

namespace physmem::conformance {

/// The sums of one VMA in kB, by their names in smaps.
using SmapsFields = std::map<std::string, std::int64_t>;

/// The current fields of smaps for each VMA of a process, by start address.
std::map<std::uint64_t, SmapsFields> read_smaps(std::uint64_t pid);

/// The same sums computed from the pages of the snapshot, by the kernel's rules. The zero page and
/// device memory are not counted, and hugetlb pages are counted separately. A page mapped by n
/// page-table entries adds 1/n per entry to Pss.
SmapsFields fields_of(const AreaRecord& area, std::uint64_t page_size);

/// Each VMA and field in which the snapshot differs from smaps, read now; Pss may differ by 1 kB.
/// For files that every program maps, including this one, only fields that do not depend on other
/// programs are compared.
std::vector<Difference> differences_to_smaps(const Snapshot& snapshot);

}  // namespace physmem::conformance
