// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/slab_reclaim.h"

#include <algorithm>
#include <array>

namespace physmem {
namespace {

constexpr std::string_view kReclaimablePrefix = "slab_reclaimable.";
constexpr std::string_view kInodes = "_inode_cache";

bool is_any(std::string_view name, const auto& names) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// Inodes that live as long as what uses them.
bool has_pinned_inodes(std::string_view cache) {
  constexpr std::array<std::string_view, 4> kPinned{"sock_inode_cache", "shmem_inode_cache",
                                                    "mqueue_inode_cache", "hugetlbfs_inode_cache"};
  return is_any(cache, kPinned);
}

/// For a snapshot that does not say it.
bool has_reclaimable_name(std::string_view cache) {
  constexpr std::array<std::string_view, 8> kNotOfFiles{
      "lsm_inode_cache", "proc_inode_cache",    "bdev_inode_cache",    "dax_inode_cache",
      "rpc_inode_cache", "debugfs_inode_cache", "tracefs_inode_cache", "secretmem_inode_cache"};
  return cache == "dentry" || (cache.ends_with(kInodes) && !is_any(cache, kNotOfFiles));
}

}  // namespace

std::string counter_name_of(std::string_view cache) {
  std::string name(cache);
  for (char& c : name)
    if (c <= ' ' || c > '~' || std::string_view(",=|\\").find(c) != std::string_view::npos) c = '_';
  return name;
}

bool is_index_of_cache(std::string_view cache) {
  return cache == "buffer_head" || cache == "radix_tree_node";
}

void ReclaimableCaches::add(std::string_view counter) {
  if (counter.starts_with(kReclaimablePrefix))
    names_.emplace(counter.substr(kReclaimablePrefix.size()));
}

bool ReclaimableCaches::has(std::string_view cache) const {
  if (has_pinned_inodes(cache)) return false;
  return names_.empty() ? has_reclaimable_name(cache) : names_.contains(counter_name_of(cache));
}

}  // namespace physmem
