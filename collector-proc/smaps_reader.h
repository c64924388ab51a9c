// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "collector-proc/maps_reader.h"
#include "collector-proc/result.h"
#include "formats/emit/records.h"

namespace physmem::collect {

/// Areas with their page counts from /proc/PID/smaps: all there is where the kernel hides frame
/// numbers. Fields user, single_use, shared and swapped are set, in pages; hugetlb pages count, the
/// zero page does not (the kernel shows it in no field). counts has one element for each area of
/// the list.
struct CountedAreas {
  AreaList list;
  std::vector<pm_page_counts> counts;
};

Status parse_smaps(std::string_view text, std::uint64_t page_size, CountedAreas& into);

}  // namespace physmem::collect
