// SPDX-License-Identifier: MIT
#include "analyzer/analyze/diff/totals_diff.h"

namespace physmem {

std::vector<TotalsDiff::Part> TotalsDiff::parts() const {
  const auto before = before_.parts(), after = after_.parts();
  std::vector<Part> parts;
  for (std::size_t i = 0; before && after && i < kMemoryParts; ++i)
    parts.push_back({i, (*before)[i], (*after)[i]});
  return parts;
}

}  // namespace physmem
