// SPDX-License-Identifier: MIT
// What a file of the page cache is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/model/ram.h"

namespace physmem {

enum class CacheKind : std::uint8_t {
  kFile,
  kBlock,      ///< of a block device: metadata of file systems
  kTmpfs,      ///< a file of a tmpfs
  kMemfd,      ///< memfd_create()
  kSysV,       ///< shmget()
  kAnonymous,  ///< shared anonymous memory: mmap() without a file
};
inline constexpr std::size_t kCacheKinds = 6;

/// Whether its files are in folders, and can be deleted.
inline bool has_folders(CacheKind kind) {
  return kind == CacheKind::kFile || kind == CacheKind::kTmpfs;
}

/// The kernel keeps files without a name in a tmpfs of its own, with these names
/// (mm/memfd.c, ipc/shm.c, mm/shmem.c).
inline CacheKind kind_of(const RamOwner& owner) {
  if (owner.file_system == "bdev") return CacheKind::kBlock;
  if (owner.file_system != "tmpfs") return CacheKind::kFile;
  const auto is = [&](std::string_view front) {
    return owner.name.starts_with(front) || owner.name.starts_with("/" + std::string(front));
  };
  if (is("memfd:")) return CacheKind::kMemfd;
  if (is("SYSV") && owner.links == 0) return CacheKind::kSysV;
  if (is("dev/zero") && owner.links == 0) return CacheKind::kAnonymous;
  return CacheKind::kTmpfs;
}

}  // namespace physmem
