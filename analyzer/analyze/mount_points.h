// SPDX-License-Identifier: MIT
// Whole paths of cached files: names in O: begin at the root of their file system.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "analyzer/analyze/cache_kind.h"
#include "analyzer/model/ram.h"
#include "analyzer/model/vma.h"

namespace physmem {

class MountPoints {
 public:
  void on_owner(const RamOwner& owner) {
    if (owner.kind == RamOwner::Kind::kMount && owner.name.starts_with('/'))
      mounts_.emplace(owner.device, owner.name);
  }
  /// Comes before the owners: a file with several names has the one by which processes map it.
  void on_area(const Vma& vma) {
    const std::string_view path = vma.unit.text();
    if (vma.inode != 0 && path.starts_with('/') && !path.ends_with(" (deleted)"))
      mapped_.try_emplace({vma.device, vma.inode}, path);
  }
  /// Whether the file system of a file is mounted, so that path_of() begins at the machine's root.
  bool has(const RamOwner& file) const {
    return mounts_.contains(file.device) && file.name.starts_with('/');
  }
  /// What stands before the path of a file whose file system is not mounted where the collector
  /// was, such as a tmpfs of a container: "[tmpfs 0:31]". Empty for other files, and if the
  /// snapshot has no mounts.
  std::string root_of(const RamOwner& file) const {
    if (mounts_.empty() || has(file) || !file.name.starts_with('/') || !has_folders(kind_of(file)))
      return {};
    return label_of(file.file_system.substr(0, kMaxFileSystem), file.device);
  }
  /// The name of a file with the mount point of its file system, or with root_of().
  std::string path_of(const RamOwner& file) const {
    if (!has(file)) return root_of(file) + file.name;
    if (const auto found = mapped_.find({file.device, file.inode});
        file.links > 1 && found != mapped_.end())
      return found->second;
    const std::string& mount = mounts_.at(file.device);
    return mount == "/" ? file.name : mount + file.name;
  }

  /// "[tmpfs 0:31]"
  static std::string label_of(const std::string& file_system, std::uint64_t device) {
    return "[" + file_system + " " + std::to_string(device >> 32) + ":" +
           std::to_string(device & 0xFFFFFFFF) + "]";
  }

 private:
  /// A name of a file system in the kernel is shorter. Keeps root_of() below 256 bytes.
  static constexpr std::size_t kMaxFileSystem = 200;

  std::unordered_map<std::uint64_t, std::string> mounts_;                  ///< by device
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> mapped_;  ///< by device and inode
};

}  // namespace physmem
