// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "collector-proc/maps_reader.h"
#include "formats/emit/records.h"
#include "program/errors.h"

namespace physmem::collect {

/// VMAs with their page counts from /proc/PID/smaps, for use if the kernel hides frame numbers.
/// Sets user, single_use, shared and swapped, in pages. hugetlb pages are counted; the zero page is
/// not, because the kernel does not show it in any field. counts has one element per VMA of the
/// list.
struct CountedAreas {
  AreaList list;
  std::vector<pm_page_counts> counts;
};

Status parse_smaps(std::string_view text, std::uint64_t page_size, CountedAreas& into);

}  // namespace physmem::collect
