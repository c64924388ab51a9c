// SPDX-License-Identifier: MIT
// Where on its device a swap file has its pages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace physmem {

/// Bytes; a stretch of a file that is one stretch of its device.
struct FileExtent {
  std::uint64_t logical = 0;
  std::uint64_t physical = 0;
  std::uint64_t length = 0;
};

/// Slot to sector. The kernel makes slots of what is page-aligned on the device (mm/page_io.c,
/// fs/iomap/swapfile.c), so the number of a slot is the number of the page in the file only as long
/// as all before it is: the map ends at the first extent that is not aligned, and at the first
/// hole.
class SwapExtents {
 public:
  SwapExtents() = default;
  SwapExtents(const std::vector<FileExtent>& extents, std::uint32_t page_size);

  std::optional<std::uint64_t> sector_of(std::uint64_t slot) const;

 private:
  std::vector<FileExtent> extents_;
  std::uint32_t page_size_ = 4096;
};

/// By FIEMAP, of file systems whose answer counts from the begin of the one device they are on:
/// ext2 to ext4 and xfs. (btrfs and f2fs give addresses of their own; vfat has FIBMAP only.) Empty
/// for all others; nothing when the file cannot be opened.
std::optional<SwapExtents> extents_of(const std::string& path, std::uint32_t page_size);

}  // namespace physmem
