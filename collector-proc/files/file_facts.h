// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "program/unique_fd.h"

namespace physmem::collect {

/// Of stat(2).
struct FileFacts {
  enum class Kind { kRegular, kBlockDevice, kFolder, kOther };
  Kind kind = Kind::kOther;
  std::uint32_t dev_major = 0, dev_minor = 0;
  std::uint32_t block_major = 0, block_minor = 0;  ///< of the block device itself
  std::uint64_t inode = 0, bytes = 0, links = 0;
  std::uint64_t block_bytes = 0;  ///< of its blocks; in a tmpfs or hugetlbfs, of its pages
};

/// A handle: what is learned of it and what is opened is the same file, and it is not opened before
/// it is known to be one. To open a device or a pipe can have effects.
UniqueFd handle_of(int dir, const std::string& path, int how = 0);

/// Of an open file, by statx(2), which does not ask the server of a file. Nothing if that fails.
std::optional<FileFacts> facts_of(int file);

}  // namespace physmem::collect
