// SPDX-License-Identifier: MIT
// The files of many snapshots: those that are named, and those below directories.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "program/result.h"

namespace physmem {

struct SnapshotFile {
  std::string path;
  std::size_t below =
      0;  ///< where the part of the path below its directory begins; 0: the file was named itself
  std::uint64_t bytes = 0;  ///< on the disk
};

/// The machine that a file is of, where its snapshot does not say: the directory that holds it, if
/// that is one below the directory that was named; else its own name without the endings of text
/// and compression.
std::string host_by_path(const SnapshotFile& file);

struct SnapshotFiles {
  std::vector<SnapshotFile> files;
  std::vector<std::string>
      problems;  ///< one sentence for each thing that was not taken and is not left out by rule
};

/// Hidden files, and those that somebody is still writing: `.name`, `name~`, `name.tmp`,
/// `name.part`. Never looked at below a directory; whoever names one gets it.
bool is_left_out(std::string_view name);

bool is_directory(const std::string& path);

/// In the order of the inputs; below a directory by path, byte by byte, each directory's content
/// where its name stands. A file or directory that can be reached more than once, by links or
/// inputs, is taken once, under its own name rather than a link's. What the kernel makes up (/proc,
/// /sys and the like) is a problem below a directory, and as one: it does not end, and reading it
/// can block or act. So links that lead round in a circle end. `output`, an answer of before that
/// is to be replaced, is left out below a directory. An error when an input is not there.
Result<SnapshotFiles> find_snapshot_files(const std::vector<std::string>& inputs,
                                          const std::string& output);

}  // namespace physmem
