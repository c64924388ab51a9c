// SPDX-License-Identifier: MIT
#include "paging/source/swap_extents.h"

#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "paging/model/paging_event.h"
#include "program/deleter.h"

namespace physmem {
namespace {

constexpr unsigned kExtentsAtOnce = 128;       ///< extents per request
constexpr std::size_t kMaxExtents = 1u << 20;  ///< a swap file of 4 TiB in extents of 4 MiB
#ifndef XFS_SUPER_MAGIC
constexpr long XFS_SUPER_MAGIC = 0x58465342;
#endif

/// The address is not, or only partly, the data's address on the device.
constexpr std::uint32_t kUnusable = FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC |
                                    FIEMAP_EXTENT_ENCODED | FIEMAP_EXTENT_DATA_ENCRYPTED |
                                    FIEMAP_EXTENT_NOT_ALIGNED | FIEMAP_EXTENT_DATA_INLINE |
                                    FIEMAP_EXTENT_DATA_TAIL | FIEMAP_EXTENT_SHARED;

/// Adds the extents after `from`; false at the end.
bool add_extents(int fd, std::uint64_t from, std::vector<FileExtent>& extents) {
  const std::size_t size = sizeof(fiemap) + kExtentsAtOnce * sizeof(fiemap_extent);
  const std::unique_ptr<fiemap, Deleter<std::free>> map(static_cast<fiemap*>(std::calloc(1, size)));
  map->fm_start = from;
  map->fm_length = FIEMAP_MAX_OFFSET - from;
  map->fm_extent_count = kExtentsAtOnce;
  if (::ioctl(fd, FS_IOC_FIEMAP, map.get()) != 0) return false;
  for (unsigned i = 0; i < map->fm_mapped_extents; ++i) {
    const fiemap_extent& extent = map->fm_extents[i];
    if ((extent.fe_flags & kUnusable) != 0) return false;
    extents.push_back({extent.fe_logical, extent.fe_physical, extent.fe_length});
    if ((extent.fe_flags & FIEMAP_EXTENT_LAST) != 0) return false;
  }
  return map->fm_mapped_extents == kExtentsAtOnce && extents.size() < kMaxExtents;
}

bool has_one_device(int fd) {
  struct stat status = {};
  struct statfs system = {};
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || ::fstatfs(fd, &system) != 0)
    return false;
  return system.f_type == EXT4_SUPER_MAGIC || system.f_type == XFS_SUPER_MAGIC;
}

}  // namespace

SwapExtents::SwapExtents(const std::vector<FileExtent>& extents, std::uint32_t page_size)
    : page_size_(page_size) {
  std::uint64_t end = 0;
  for (const FileExtent& extent : extents) {
    if (extent.logical != end || extent.physical % page_size != 0 ||
        extent.logical % page_size != 0)
      break;
    extents_.push_back(extent);
    end += extent.length;
    if (extent.length % page_size != 0) break;
  }
}

std::optional<std::uint64_t> SwapExtents::sector_of(std::uint64_t slot) const {
  if (slot > UINT64_MAX / page_size_) return {};
  const std::uint64_t at = slot * page_size_;
  const auto after = std::upper_bound(
      extents_.begin(), extents_.end(), at,
      [](std::uint64_t place, const FileExtent& extent) { return place < extent.logical; });
  if (after == extents_.begin()) return {};
  const FileExtent& extent = after[-1];
  if (at - extent.logical + page_size_ > extent.length) return {};
  return (extent.physical + (at - extent.logical)) / kSectorBytes;
}

std::optional<SwapExtents> extents_of(const std::string& path, std::uint32_t page_size) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return {};
  std::vector<FileExtent> extents;
  if (has_one_device(fd))
    while (add_extents(fd, extents.empty() ? 0 : extents.back().logical + extents.back().length,
                       extents)) {
    }
  ::close(fd);
  return SwapExtents(extents, page_size);
}

}  // namespace physmem
