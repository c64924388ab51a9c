// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "formats/compact/format.h"

namespace physmem::compact {

/// The kind of entries: of M: or of S:.
enum class List : std::uint8_t { kResident, kSwapped };

/// The fields of a run's entries other than their addresses.
struct Use {
  std::uint64_t count = 0;      ///< for S: the type
  std::uint64_t flags = 0;      ///< for S: 0, as are the fields below
  std::uint64_t low_bits = 0;   ///< bits of the page-table value below the address
  std::uint64_t high_bits = 0;  ///< bits above it

  bool operator==(const Use&) const = default;
};

struct HashOfUse {
  std::size_t operator()(const Use& use) const {
    return static_cast<std::size_t>(
        (((use.count * kOdd ^ use.flags) * kOdd ^ use.low_bits) * kOdd ^ use.high_bits) * kOdd >>
        20);
  }
};

/// Entries with consecutive addresses whose other fields are equal. Frames may descend, because
/// kernels often allocate them in that order.
struct Run {
  List list = List::kResident;
  std::uint64_t va = 0;     ///< of the first page
  std::uint64_t place = 0;  ///< its frame; for S: its slot
  std::uint64_t pages = 0;
  bool is_down = false;  ///< frames or slots descend
  Use use;
};

/// Address bits of page-table values on every machine. Bits above belong to Use.
inline constexpr std::uint64_t kAddressBits = (std::uint64_t{1} << 52) - 1;

/// The value after '=' in the first entry. The following entries step by a page up or down, or by a
/// slot.
inline std::uint64_t value_of(const Run& run, unsigned page_shift) {
  if (run.list == List::kSwapped) return run.place;
  return (run.place << page_shift) + run.use.low_bits + run.use.high_bits;
}

}  // namespace physmem::compact
