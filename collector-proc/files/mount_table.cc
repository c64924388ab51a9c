// SPDX-License-Identifier: MIT
#include "collector-proc/files/mount_table.h"

#include <algorithm>
#include <array>

#include "collector-proc/text_cursor.h"

namespace physmem::collect {

bool FileSystem::has_cached_files() const {
  constexpr std::array<std::string_view, 12> kWithoutDevice{
      "tmpfs",    "devtmpfs", "ramfs", "rootfs", "overlay", "btrfs",
      "bcachefs", "zfs",      "ubifs", "jffs2",  "yaffs2",  "ecryptfs"};
  if (dev_major != 0) return !is_served();
  return std::find(kWithoutDevice.begin(), kWithoutDevice.end(), type) != kWithoutDevice.end();
}

bool FileSystem::is_served() const {
  constexpr std::array<std::string_view, 12> kServed{"nfs",  "nfs4", "cifs",    "smb3",
                                                     "ceph", "afs",  "9p",      "virtiofs",
                                                     "coda", "fuse", "fuseblk", "lustre"};
  return type.starts_with("fuse.") ||
         std::find(kServed.begin(), kServed.end(), type) != kServed.end();
}

/// "36 35 98:0 / /mnt rw,noatime master:1 - ext3 /dev/root rw": id, parent, device …, type.
void MountTable::add(std::string_view mountinfo) {
  constexpr std::string_view kType = " - ";
  TextCursor lines(mountinfo);
  while (!lines.at_end()) {
    const std::string_view text = lines.line();
    const std::size_t type_at = text.find(kType);
    TextCursor line(text);
    const auto id = line.number();
    line.skip(' ');
    line.until(' ');
    const auto dev_major = line.number();
    line.skip(':');
    const auto dev_minor = line.number();
    if (!id || !dev_major || !dev_minor || type_at == std::string_view::npos) continue;
    const auto major = static_cast<std::uint32_t>(*dev_major);
    const auto minor = static_cast<std::uint32_t>(*dev_minor);
    TextCursor type(text.substr(type_at + kType.size()));
    by_id_[*id] = {std::string(type.until(' ')), major};
    by_device_[{major, minor}] = *id;
  }
}

const FileSystem* MountTable::of_mount(std::uint64_t id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &found->second;
}

const FileSystem* MountTable::of_device(std::uint32_t dev_major, std::uint32_t dev_minor) const {
  const auto found = by_device_.find({dev_major, dev_minor});
  return found == by_device_.end() ? nullptr : of_mount(found->second);
}

}  // namespace physmem::collect
