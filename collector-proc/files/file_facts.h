// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

namespace physmem::collect {

/// Of stat(2).
struct FileFacts {
  enum class Kind { kRegular, kBlockDevice, kFolder, kOther };
  Kind kind = Kind::kOther;
  std::uint32_t dev_major = 0, dev_minor = 0;
  std::uint32_t block_major = 0, block_minor = 0;  ///< of the block device itself
  std::uint64_t inode = 0, bytes = 0, links = 0;
};

/// Of an open file, by statx(2), which does not ask the server of a file. Nothing if that fails.
std::optional<FileFacts> facts_of(int file);

}  // namespace physmem::collect
