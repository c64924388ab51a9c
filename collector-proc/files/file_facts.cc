// SPDX-License-Identifier: MIT
#include "collector-proc/files/file_facts.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace physmem::collect {
namespace {

FileFacts::Kind kind_of(std::uint32_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG:
      return FileFacts::Kind::kRegular;
    case S_IFBLK:
      return FileFacts::Kind::kBlockDevice;
    case S_IFDIR:
      return FileFacts::Kind::kFolder;
    default:
      return FileFacts::Kind::kOther;
  }
}

}  // namespace

UniqueFd handle_of(int dir, const std::string& path, int how) {
  return UniqueFd(::openat(dir, path.c_str(), O_PATH | O_CLOEXEC | how));
}

/// By number: musl 1.2.3 has no statx().
std::optional<FileFacts> facts_of(int file) {
  struct statx facts {};
  constexpr int kHow = AT_STATX_DONT_SYNC | AT_EMPTY_PATH;
  constexpr std::uint64_t kBlockBytes = 512;
  if (::syscall(SYS_statx, file, "", kHow, STATX_BASIC_STATS, &facts) != 0) return std::nullopt;
  return FileFacts{kind_of(facts.stx_mode), facts.stx_dev_major,  facts.stx_dev_minor,
                   facts.stx_rdev_major,    facts.stx_rdev_minor, facts.stx_ino,
                   facts.stx_size,          facts.stx_nlink,      facts.stx_blocks * kBlockBytes};
}

}  // namespace physmem::collect
