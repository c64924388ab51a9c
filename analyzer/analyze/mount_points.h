// SPDX-License-Identifier: MIT
// Whole paths of cached files: names in O: begin at the root of their file system.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "analyzer/model/ram.h"

namespace physmem {

class MountPoints {
 public:
  void on_owner(const RamOwner& owner) {
    if (owner.kind == RamOwner::Kind::kMount && owner.name.starts_with('/'))
      mounts_.emplace(owner.device, owner.name);
  }
  /// Whether the file system of a file is mounted, so that path_of() begins at the machine's root.
  bool has(const RamOwner& file) const {
    return mounts_.contains(file.device) && file.name.starts_with('/');
  }
  /// The name of a file with the mount point of its file system, if that is known.
  std::string path_of(const RamOwner& file) const {
    if (!has(file)) return file.name;
    const std::string& mount = mounts_.at(file.device);
    return mount == "/" ? file.name : mount + file.name;
  }

 private:
  std::unordered_map<std::uint64_t, std::string> mounts_;  ///< by device
};

}  // namespace physmem
