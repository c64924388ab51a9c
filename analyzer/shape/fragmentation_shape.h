// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/analyze/process/huge_mappings.h"
#include "analyzer/analyze/ram/page_blocks.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// "449.3 MiB, 95.10 % of it in blocks of 2 MiB or more. Of 349 blocks of 2 MiB, 201 are free. …".
std::string fragmentation_line(const PageBlocks& blocks, const View& view);

/// "A further 12.3 GiB are free, but in no zone yet: …", which MemFree includes.
std::string no_zone_line(std::uint64_t pages, const View& view);
/// Free blocks by zone and order.
Table free_blocks_table(const PageBlocks& blocks, const View& view);
/// Room for huge pages, by size.
Table huge_rooms_table(const PageBlocks& blocks, const View& view);
/// Owners that alone make pageblocks unmovable.
Table blockers_table(const PageBlocks& blocks, const View& view, bool has_all);
/// Anonymous memory of processes and their huge pages; the largest, or all.
Table process_huge_pages_table(const ProcessHugePages& processes, bool has_all);
/// One row per pageblock.
Table page_blocks_table(const PageBlocks& blocks, const View& view);

/// With more blocks than this, a cell stands for several.
inline constexpr std::size_t kMaxBlockCells = 32768;
inline constexpr std::size_t kMaxBlockLetters = 8192;
BlockMap block_map(const PageBlocks& blocks, const View& view,
                   std::size_t max_cells = kMaxBlockCells);
/// The same as text, 64 cells per line. A letter for the use, '.' for a free block; upper case if
/// the block holds a page that cannot be moved, ' ' for a hole.
std::vector<std::string> block_map_lines(const BlockMap& map, std::size_t columns = 0);

}  // namespace physmem
