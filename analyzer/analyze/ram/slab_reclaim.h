// SPDX-License-Identifier: MIT
// Which slab caches of a snapshot the kernel can reclaim.
//
// The counters slab_reclaimable.NAME tell it. In a snapshot without them, only caches of known
// names are taken as reclaimable: dentry, and NAME_inode_cache of file systems with storage.
//
// The inodes of sockets, message queues and files in memory are never reclaimable: they live as
// long as what uses them. The kernel counts inodes of sockets and message queues as reclaimable,
// like any others.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace physmem {

/// The name of a slab cache in counters: without comma, '=', '|', '\' and blank, and only printable
/// characters.
std::string counter_name_of(std::string_view cache);

/// Whether the objects of the cache describe cached pages, so that it grows with them.
bool is_index_of_cache(std::string_view cache);

class ReclaimableCaches {
 public:
  /// The name of any counter of the snapshot.
  void add(std::string_view counter);
  bool has(std::string_view cache) const;

 private:
  std::set<std::string, std::less<>> names_;  ///< in counters
};

}  // namespace physmem
