// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/conformance/difference.h"
#include "tests/conformance/snapshot_reader.h"

namespace physmem::conformance {

/// Sums of one area in kB, as smaps names them.
using SmapsFields = std::map<std::string, std::int64_t>;

/// What smaps says now of each area of a process, by start address.
std::map<std::uint64_t, SmapsFields> read_smaps(std::uint64_t pid);

/// The same sums from the pages of the snapshot, by the kernel's rules: the zero page and device
/// memory count nowhere, hugetlb pages apart, a page mapped by n page-table entries gives each 1/n
/// to Pss.
SmapsFields fields_of(const AreaRecord& area, std::uint64_t page_size);

/// Each area and field in which snapshot and smaps, read now, differ; Pss may differ by 1 kB. Of
/// files that every program maps, this one too, only what does not depend on the others is
/// compared.
std::vector<Difference> differences_to_smaps(const Snapshot& snapshot);

}  // namespace physmem::conformance
