// SPDX-License-Identifier: MIT
// The order in which the uploads of many hosts are loaded.
#pragma once

#include <string>
#include <vector>

#include "analyzer/input/snapshot_files.h"

namespace physmem::fleet {

/// The folder below the named directory, which belongs to one host. Empty: the file is in none.
std::string folder_of(const SnapshotFile& file);

/// A host that sends many files, or files that take long, delays files of other hosts by one file
/// each.
class FolderTurns {
 public:
  /// The first file of each folder, then the second of each, and so on. The folder after the one
  /// whose file was taken last comes first.
  std::vector<SnapshotFile> in_turns(std::vector<SnapshotFile> files) const;
  void take(const SnapshotFile& file) { last_ = folder_of(file); }

 private:
  std::string last_;
};

}  // namespace physmem::fleet
