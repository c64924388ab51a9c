// SPDX-License-Identifier: MIT
// Finds the files of many snapshots: named files, and files below directories.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "program/result.h"

namespace physmem {

struct SnapshotFile {
  std::string path;
  /// Offset of the part of the path below the named directory; 0: the file itself was named.
  std::size_t below = 0;
  std::uint64_t bytes = 0;  ///< on the disk
};

/// The host name for a file whose snapshot has none. It is the name of the file's directory if that
/// is below the named directory; otherwise the file's name without the endings of text and
/// compression.
std::string host_by_path(const SnapshotFile& file);

struct SnapshotFiles {
  std::vector<SnapshotFile> files;
  /// One sentence for each file that was not taken, except those left out by rule.
  std::vector<std::string> problems;
};

/// Whether the file is hidden or incomplete: `.name`, `name~`, `name.tmp`, `name.part`. Such files
/// are skipped below a directory, but read if they are named.
bool is_left_out(std::string_view name);

bool is_directory(const std::string& path);

/// Finds files in the order of the inputs; below a directory, in the byte order of paths, depth
/// first. An input that does not exist is an error.
///
/// A file or directory that is reached more than once, by links or inputs, is taken once, by its
/// own name rather than the link's. So circular links end. A link below a directory must belong to
/// the effective user or to root: answers and errors quote what they read. File systems without
/// real files
/// (/proc, /sys and similar) are reported as a problem, both as an input and below a directory:
/// they are endless, and reading them can block or have side effects. `output`, an earlier answer
/// that will be replaced, is left out below a directory.
Result<SnapshotFiles> find_snapshot_files(const std::vector<std::string>& inputs,
                                          const std::string& output);

/// For inputs below which there is no file.
Error no_snapshots(const std::vector<std::string>& inputs);

}  // namespace physmem
