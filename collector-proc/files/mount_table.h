// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace physmem::collect {

/// A mounted file system.
struct FileSystem {
  std::string type;             ///< "ext4"
  std::uint32_t dev_major = 0;  ///< 0: it has no block device

  /// Whether a file of it can be opened at once, without side effects, and has pages in the page
  /// cache.
  bool has_cached_files() const;
  /// Whether another machine or a program answers for its files, so that to open one may take
  /// forever.
  bool is_served() const;
};

/// The mounted file systems of /proc/PID/mountinfo. Ids of mounts are unique over all namespaces of
/// the machine.
class MountTable {
 public:
  void add(std::string_view mountinfo);
  /// nullptr: not known.
  const FileSystem* of_mount(std::uint64_t id) const;
  const FileSystem* of_device(std::uint32_t dev_major, std::uint32_t dev_minor) const;

 private:
  std::map<std::uint64_t, FileSystem> by_id_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> by_device_;  ///< to an id
};

}  // namespace physmem::collect
