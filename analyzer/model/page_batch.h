// SPDX-License-Identifier: MIT
// M: and S: entries, some at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace physmem {

/// Resident pages of one area, in address order, as four arrays so that a fold's loop is simple and vectors
/// fit it. 512 entries, 16 KiB: a batch stays in the first-level cache while every fold looks at it.
///
/// Neighbours are nearly always used as often and have the same flags. A stretch is as many of them as follow
/// each other: who looks at these two only need not look at every page.
struct PageBatch {
  static constexpr std::size_t kCapacity = 512;

  std::size_t size = 0;
  std::size_t stretches = 0;
  std::array<std::uint64_t, kCapacity> va;
  std::array<std::uint64_t, kCapacity>
      value;  ///< page-table value: physical address and, under pte=raw, its bits
  std::array<std::uint64_t, kCapacity> count;
  std::array<std::uint64_t, kCapacity> flags;
  std::array<std::uint16_t, kCapacity> stretch_end;  ///< index of the entry behind each stretch

  bool full() const { return size == kCapacity; }
  void clear() { size = stretches = 0; }

  /// Takes the next `n` entries in, whose va and value are there already.
  void add_alike(std::size_t n, std::uint64_t uses, std::uint64_t page_flags) {
    const bool goes_on = size != 0 && count[size - 1] == uses && flags[size - 1] == page_flags;
    std::fill_n(count.begin() + static_cast<std::ptrdiff_t>(size), n, uses);
    std::fill_n(flags.begin() + static_cast<std::ptrdiff_t>(size), n, page_flags);
    size += n;
    if (!goes_on) ++stretches;
    stretch_end[stretches - 1] = static_cast<std::uint16_t>(size);
  }

  void add(std::uint64_t address, std::uint64_t pte, std::uint64_t uses, std::uint64_t page_flags) {
    va[size] = address;
    value[size] = pte;
    add_alike(1, uses, page_flags);
  }

  /// Calls visit(first, end) for each stretch.
  template <class Visit>
  void for_each_stretch(Visit visit) const {
    std::size_t first = 0;
    for (std::size_t i = 0; i < stretches; ++i) {
      visit(first, std::size_t{stretch_end[i]});
      first = stretch_end[i];
    }
  }

  /// Keeps the first `n` entries.
  void cut(std::size_t n) {
    size = n;
    while (stretches != 0 && (stretches == 1 ? 0 : stretch_end[stretches - 2]) >= n) --stretches;
    if (stretches != 0) stretch_end[stretches - 1] = static_cast<std::uint16_t>(n);
  }
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
