// SPDX-License-Identifier: MIT
// The location of a swap file's pages on its device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace physmem {

/// A contiguous range of a file that is also contiguous on its device, in bytes.
struct FileExtent {
  std::uint64_t logical = 0;
  std::uint64_t physical = 0;
  std::uint64_t length = 0;
};

/// Maps slots to sectors. The kernel uses only page-aligned parts of the device as slots
/// (mm/page_io.c, fs/iomap/swapfile.c). A slot number equals the page number in the file only if
/// everything before it is aligned. The map therefore ends at the first unaligned extent and at the
/// first hole.
class SwapExtents {
 public:
  SwapExtents() = default;
  SwapExtents(const std::vector<FileExtent>& extents, std::uint32_t page_size);

  std::optional<std::uint64_t> sector_of(std::uint64_t slot) const;

 private:
  std::vector<FileExtent> extents_;
  std::uint32_t page_size_ = 4096;
};

/// Uses FIEMAP on file systems that report offsets on their only device: ext2 to ext4 and xfs.
/// (btrfs and f2fs report logical addresses; vfat supports FIBMAP only.) The result is empty for
/// all others, and nullopt if the file cannot be opened.
std::optional<SwapExtents> extents_of(const std::string& path, std::uint32_t page_size);

}  // namespace physmem
