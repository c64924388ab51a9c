// SPDX-License-Identifier: MIT
#include "analyzer/analyze/diff/area_match.h"

#include <algorithm>
#include <utility>

#include "formats/emit/flags.h"

namespace physmem {

AreaPlace AreaPlace::of(const Vma& vma) {
  const bool has_offset = vma.inode != 0 || has_file(vma);
  return {vma.start, vma.last, has_offset ? vma.start - vma.offset : 0, vma.is(PM_VMA_SHARED),
          unit_key(vma)};
}

bool AreaPlace::continues(const AreaPlace& before) const {
  return overlaps(before) && origin == before.origin && is_shared == before.is_shared &&
         unit == before.unit;
}

std::vector<std::size_t> continued(const std::vector<AreaPlace>& before, const AreaPlace& area) {
  std::vector<std::size_t> found;
  auto it = std::partition_point(before.begin(), before.end(),
                                 [&](const AreaPlace& other) { return other.last < area.start; });
  for (; it != before.end() && it->start <= area.last; ++it)
    if (area.continues(*it)) found.push_back(static_cast<std::size_t>(it - before.begin()));
  return found;
}

std::size_t AreaGroups::find(std::size_t group) {
  for (; joined_[group] != group; ++steps_) group = joined_[group] = joined_[joined_[group]];
  return group;
}

void AreaGroups::join(std::size_t a, std::size_t b) {
  std::size_t large = find(a);
  std::size_t small = find(b);
  if (large == small) return;
  if (size_[large] < size_[small]) std::swap(large, small);
  joined_[small] = large;
  size_[large] += size_[small];
}

}  // namespace physmem
