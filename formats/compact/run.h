// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "formats/compact/format.h"

namespace physmem::compact {

/// Which entries: those of M: or those of S:.
enum class List : std::uint8_t { kResident, kSwapped };

/// What the entries of a run have besides their addresses.
struct Use {
  std::uint64_t count = 0;      ///< of S:, the type
  std::uint64_t flags = 0;      ///< of S:, 0; so are those below
  std::uint64_t low_bits = 0;   ///< of the page-table value, below the address
  std::uint64_t high_bits = 0;  ///< above it

  bool operator==(const Use&) const = default;
};

struct HashOfUse {
  std::size_t operator()(const Use& use) const {
    return (((use.count * kOdd ^ use.flags) * kOdd ^ use.low_bits) * kOdd ^ use.high_bits) * kOdd >>
           20;
  }
};

/// Entries whose addresses follow each other, and that are alike in all else. Kernels often give
/// out frames in descending order.
struct Run {
  List list = List::kResident;
  std::uint64_t va = 0;     ///< of the first page
  std::uint64_t place = 0;  ///< its frame; of S: its slot
  std::uint64_t pages = 0;
  bool is_down = false;  ///< each frame or slot is the one below the last
  Use use;
};

/// Address bits of page-table values on every machine; what is above belongs to how a page is used.
inline constexpr std::uint64_t kAddressBits = (std::uint64_t{1} << 52) - 1;

/// What the text of the first entry has behind its '='; the others follow it by a page up or down,
/// or by a slot.
inline std::uint64_t value_of(const Run& run, unsigned page_shift) {
  if (run.list == List::kSwapped) return run.place;
  return (run.place << page_shift) + run.use.low_bits + run.use.high_bits;
}

}  // namespace physmem::compact
