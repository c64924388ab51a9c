// SPDX-License-Identifier: MIT
// M: and S: entries, some at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace physmem {

/// Resident pages of one area, in address order, as four arrays so that a fold's loop is simple and vectors
/// fit it. 512 entries, 16 KiB: a batch stays in the first-level cache while every fold looks at it.
struct PageBatch {
  static constexpr std::size_t kCapacity = 512;

  std::size_t size = 0;
  std::array<std::uint64_t, kCapacity> va;
  std::array<std::uint64_t, kCapacity>
      value;  ///< page-table value: physical address and, under pte=raw, its bits
  std::array<std::uint64_t, kCapacity> count;
  std::array<std::uint64_t, kCapacity> flags;

  bool full() const { return size == kCapacity; }
};

struct SwapEntry {
  std::uint64_t va = 0;
  std::uint64_t type = 0;  ///< swap device
  std::uint64_t slot = 0;  ///< pages
};

struct FrameRun {
  std::uint64_t first_pfn = 0;
  std::uint64_t pages = 0;
  std::uint64_t flags = 0;
  std::uint64_t count = 0;
};

}  // namespace physmem
