// SPDX-License-Identifier: MIT
// The page cache by folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/analyze/ram/page_cache.h"

namespace physmem {

/// A folder with everything below it. A folder that contains one folder and nothing else is one row
/// with it: "/usr/lib/x86_64-linux-gnu/".
struct FolderRow {
  std::string path;             ///< ends with '/', or a word in brackets: "[memfd]"
  std::size_t parent_size = 0;  ///< the part of the path that is the row above
  std::size_t depth = 0;        ///< 0: no listed folder contains it
  std::uint64_t files = 0;
  CacheCounts counts;
};

/// Where the tree of a file begins: "[memfd]", "[ext4 254:1]"; empty if its path is whole.
std::string folder_root(const PageCache& cache, const CachedFile& file);

/// Depth first, in each folder the largest first. Folders with fewer than `min_pages` are left out.
/// Memory: 64 bytes per file.
std::vector<FolderRow> folder_rows(const PageCache& cache, std::uint64_t min_pages);

}  // namespace physmem
