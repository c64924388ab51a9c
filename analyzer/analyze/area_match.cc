// SPDX-License-Identifier: MIT
#include "analyzer/analyze/area_match.h"

#include <algorithm>

#include "formats/emit/flags.h"

namespace physmem {

AreaPlace AreaPlace::of(const Vma& vma) {
  const bool has_offset = vma.inode != 0 || has_file(vma);
  return {vma.start, vma.last, has_offset ? vma.start - vma.offset : 0, vma.is(PM_VMA_SHARED), unit_key(vma)};
}

bool AreaPlace::continues(const AreaPlace& before) const {
  return overlaps(before) && origin == before.origin && is_shared == before.is_shared && unit == before.unit;
}

std::vector<std::size_t> continued(const std::vector<AreaPlace>& before, const AreaPlace& area) {
  std::vector<std::size_t> found;
  auto it = std::partition_point(before.begin(), before.end(),
                                 [&](const AreaPlace& other) { return other.last < area.start; });
  for (; it != before.end() && it->start <= area.last; ++it)
    if (area.continues(*it)) found.push_back(static_cast<std::size_t>(it - before.begin()));
  return found;
}

}  // namespace physmem
