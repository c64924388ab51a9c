// SPDX-License-Identifier: MIT
// D: a process holds memory by a descriptor. formats/physmem-records.md specifies it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace physmem {

struct Holder {
  enum class Kind : std::uint8_t {
    kMemfd,    ///< of memfd_create(2)
    kTmpfs,    ///< another file of a tmpfs
    kSystemV,  ///< System V shared memory
    kHugetlb,  ///< a file of a hugetlbfs, also a memfd of huge pages
    kDeleted,  ///< a deleted file of another file system
    kDmaBuf,   ///< a buffer for devices
    kOther,    ///< of a kind that this version does not know
  };
  std::uint64_t pid = 0;
  std::uint64_t descriptor = 0;
  Kind kind = Kind::kOther;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t bytes = 0;             ///< size
  std::optional<std::uint64_t> pages;  ///< that the file has, also in swap; nothing: unknown
  std::string name;                    ///< as in /proc/PID/fd
};

}  // namespace physmem
