// SPDX-License-Identifier: MIT
// Finds files that appear, for physmem-fleet load --follow.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analyzer/input/snapshot_files.h"
#include "program/result.h"

namespace physmem::fleet {

/// Scans directories. A file is new if its path was not there before, or its size or the time of
/// its last change (ctime, which no client can choose) have changed. Writers must give a file its
/// name when it is whole (rename).
class FileWatch {
 public:
  explicit FileWatch(std::vector<std::string> paths) : paths_(std::move(paths)) {}

  struct Found {
    std::vector<SnapshotFile> files;
    std::vector<std::string> problems;  ///< that were not found by the scan before
  };
  Result<Found> scan();
  /// The next scan finds the file again.
  void forget(const SnapshotFile& file) { seen_.erase(file.path); }

 private:
  struct Stamp {
    std::uint64_t bytes = 0;
    std::int64_t changed_ns = 0;
    std::uint64_t scan = 0;  ///< number of the last one that found it
    auto operator<=>(const Stamp&) const = default;
  };

  std::vector<std::string> paths_;
  std::map<std::string, Stamp> seen_;
  std::vector<std::string> problems_;
  std::uint64_t scans_ = 0;
};

}  // namespace physmem::fleet
