// SPDX-License-Identifier: MIT
// How many page-table entries point to each frame.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "analyzer/model/header.h"
#include "analyzer/model/page_run.h"
#include "formats/emit/flags.h"

namespace physmem {

/// From this frame on, until the next one of the list, each frame has so many mappings.
struct MappingDepth {
  std::uint64_t pfn = 0;
  std::uint64_t mappings = 0;
};

/// The kernel counts no mappings of the zero page and of memory without struct page.
inline bool has_counted_mappings(const PageRun& run) {
  return (run.flags & (PM_PAGE_ZERO_PAGE | PM_PAGE_NOPAGE)) == 0;
}

class MappingDepths {
 public:
  /// Adds runs of M: entries. Those that the kernel does not count are left out.
  void add(const Header& header, std::span<const PageRun> runs) {
    for (const PageRun& run : runs) {
      if (!has_counted_mappings(run)) continue;
      const std::uint64_t first = header.frame(run.value);
      changes_.emplace_back(first, 1);
      changes_.emplace_back(first + run.pages, -1);
    }
  }
  /// The depths of all runs, ascending. Frames before the first have no mapping.
  /// Can be called once, as it gives back the memory of the runs.
  std::vector<MappingDepth> depths() {
    const std::vector<std::pair<std::uint64_t, std::int64_t>> changes = sorted_changes();
    std::vector<MappingDepth> depths;
    std::uint64_t mappings = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      mappings += static_cast<std::uint64_t>(changes[i].second);
      if (i + 1 == changes.size() || changes[i + 1].first != changes[i].first)
        depths.push_back({changes[i].first, mappings});
    }
    return depths;
  }

 private:
  std::vector<std::pair<std::uint64_t, std::int64_t>> sorted_changes() {
    std::sort(changes_.begin(), changes_.end());
    return std::exchange(changes_, {});
  }

  std::vector<std::pair<std::uint64_t, std::int64_t>> changes_;  ///< frame, mappings more
};

}  // namespace physmem
