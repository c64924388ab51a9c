// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/analyze/process/file_map.h"
#include "analyzer/analyze/ram/folder_tree.h"
#include "analyzer/analyze/ram/page_cache.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// How many rows a table has at most. Text is for people; CSV and JSON have all rows.
enum class Extent { kLargest, kAll };

/// "file", "block device", "tmpfs" …
std::string kind_word(CacheKind kind);

/// "23436 pages (91.5 MiB) of 86 files: 450 mapped by processes, 6400 dirty, 0 being written, 1693
/// active; 150 of deleted files". Without R: lines: how to get them.
std::string cache_line(const PageCache& cache, const View& view);

/// What of the page cache is not known.
std::vector<std::string> missing_files(const PageCache& cache);

/// Files, most pages first.
Table cache_table(const PageCache& cache, const View& view, Extent extent);
/// Kinds of files: on disks, of block devices, tmpfs, memfd …
Table cache_kinds_table(const PageCache& cache);
/// Folders as a tree.
Table cache_folders_table(const PageCache& cache, Extent extent);
/// Processes that map cached pages.
Table cache_users_table(const PageCache& cache, Extent extent);
/// Folders and files as nested rectangles.
Treemap cache_treemap(const PageCache& cache, const View& view);

/// Why a map is empty: no file has the path.
std::string file_not_found(const FileMap& map);
/// The output of --maps: a heading per file, and its lines.
std::string file_heading(const FileMap& map, const FileMap::File& file, const View& view);
PageMap::Line file_line(const MapLine& line, const View& view);
TableHead file_map_head();
std::vector<Cell> file_map_cells(const FileMap::File& file, const MapLine& line, const View& view);

}  // namespace physmem
