// SPDX-License-Identifier: MIT
// V: one area of virtual memory; P: the collector's counts of its pages.
#pragma once

#include <cstdint>
#include <optional>

#include "analyzer/model/name.h"

namespace physmem {

struct Vma {
  std::uint64_t start = 0;
  std::uint64_t last = 0;      ///< inclusive
  std::uint64_t resident = 0;  ///< bytes
  std::uint64_t prot = 0;
  std::uint64_t flags = 0;   ///< PM_VMA_*; in version 1 those bits mean the same
  Name unit;                 ///< executable unit: path or label; empty if the file has NULL
  std::uint64_t offset = 0;  ///< of start in the file, bytes
  std::uint64_t device = 0;  ///< major << 32 | minor
  std::uint64_t inode = 0;
  std::optional<std::uint64_t> raw_flags;

  /// Bytes. The reader rejects an area of 2^64 bytes.
  std::uint64_t size() const { return last - start + 1; }
  bool is(std::uint64_t flag) const { return (flags & flag) != 0; }
};

/// Pages.
struct PageCounts {
  std::uint64_t user = 0;
  std::uint64_t executable = 0;
  std::uint64_t read_only = 0;
  std::uint64_t single_use = 0;
  std::uint64_t shared = 0;
  std::uint64_t swapped = 0;  ///< those in S:, or all if pages are not listed
  /// Pages of shared memory in swap with an unknown slot. Not part of swapped.
  std::uint64_t unlisted = 0;
};

}  // namespace physmem
