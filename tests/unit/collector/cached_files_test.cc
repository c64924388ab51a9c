// SPDX-License-Identifier: MIT
// How much of a file is cached, by the running kernel; mounted file systems.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "collector-proc/files/cached_pages.h"
#include "collector-proc/files/mount_table.h"
#include "program/unique_fd.h"

namespace physmem::collect {
namespace {

std::uint64_t page_size() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void write_page(int file, std::uint64_t page) {
  ASSERT_EQ(::pwrite(file, "x", 1, static_cast<off_t>(page * page_size())), 1);
}

/// Pages of a memfd are in no other place, so they cannot be evicted.
TEST(CachedPages, AreThoseThatAFileHas) {
  const UniqueFd file(::memfd_create("cached", MFD_CLOEXEC));
  ASSERT_EQ(::ftruncate(file.get(), static_cast<off_t>(100 * page_size())), 0);
  EXPECT_EQ(cached_pages(file.get(), page_size()).value().pages, 0U);
  for (const std::uint64_t page : {0, 7, 99}) write_page(file.get(), page);
  EXPECT_EQ(cached_pages(file.get(), page_size()).value().pages, 3U);
}

/// More than one mapping of mincore(2).
TEST(CachedPages, AreCountedInAllPartsOfALargeFile) {
  const UniqueFd file(::memfd_create("large", MFD_CLOEXEC));
  constexpr std::uint64_t kBytes = std::uint64_t{1} << 28;
  ASSERT_EQ(::ftruncate(file.get(), static_cast<off_t>(kBytes)), 0);
  const std::uint64_t last = kBytes / page_size() - 1;
  for (const std::uint64_t page : {std::uint64_t{1}, last / 2, last}) write_page(file.get(), page);
  EXPECT_EQ(cached_pages(file.get(), page_size()).value().pages, 3U);
}

TEST(CachedPages, AreUnknownOfAFileThatCannotBeMapped) {
  const UniqueFd file(::open("/proc/self/status", O_RDONLY | O_CLOEXEC));
  const auto pages = cached_pages(file.get(), page_size());
  EXPECT_TRUE(!pages || pages->pages == 0);
}

constexpr const char* kMounts =
    R"(22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
23 22 0:21 / /proc rw,nosuid - proc proc rw
24 22 0:40 /@home /home rw master:2 propagate_from:3 - btrfs /dev/vdb rw
25 22 0:50 / /mnt/data\040set rw - nfs4 server:/data rw
26 22 0:51 / /mnt/gdrive rw - fuse.rclone remote: rw
27 22 8:17 / /mnt/stick rw - fuseblk /dev/sdb1 rw
28 22 0:31 / /run rw - tmpfs tmpfs rw
29 1 0:2 / / rw - rootfs rootfs rw
)";

TEST(MountTable, FindsFileSystemsByMountAndDevice) {
  MountTable mounts;
  mounts.add(kMounts);
  ASSERT_NE(mounts.of_mount(24), nullptr);
  EXPECT_EQ(mounts.of_mount(24)->type, "btrfs");
  ASSERT_NE(mounts.of_device(254, 1), nullptr);
  EXPECT_EQ(mounts.of_device(254, 1)->type, "ext4");
  EXPECT_EQ(mounts.of_mount(99), nullptr);
  EXPECT_EQ(mounts.of_device(254, 2), nullptr);
}

/// To open a file of a server that does not answer takes forever; of /proc, it can have effects.
TEST(MountTable, KnowsWhereFilesCanBeOpened) {
  MountTable mounts;
  mounts.add(kMounts);
  std::string opened, served;
  for (const std::uint64_t mount : {22, 23, 24, 25, 26, 27, 28, 29}) {
    const FileSystem& on = *mounts.of_mount(mount);
    if (on.has_cached_files()) opened += on.type + " ";
    if (on.is_served()) served += on.type + " ";
  }
  EXPECT_EQ(opened, "ext4 btrfs tmpfs rootfs ");
  EXPECT_EQ(served, "nfs4 fuse.rclone fuseblk ");
}

TEST(MountTable, SkipsLinesThatAreNone) {
  MountTable mounts;
  mounts.add("\n22 1 254:1 / / rw\nx y - ext4 z rw\n30 1 9:9 / / rw - xfs /dev/x rw");
  EXPECT_EQ(mounts.of_mount(22), nullptr);
  EXPECT_NE(mounts.of_mount(30), nullptr);
}

}  // namespace
}  // namespace physmem::collect
