// SPDX-License-Identifier: MIT
// Counts are in pages everywhere. This is the only conversion to bytes, and the fixed-point type
// for shares of a page.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>

namespace physmem {

/// The page size in the snapshot's header, never the analyzing machine's. A power of two.
struct PageSize {
  std::uint64_t bytes = 4096;

  constexpr unsigned shift() const { return static_cast<unsigned>(std::countr_zero(bytes)); }
  /// Pages for `n` bytes, rounded up.
  constexpr std::uint64_t pages(std::uint64_t n) const {
    return (n >> shift()) + ((n & (bytes - 1)) != 0 ? 1 : 0);
  }
  constexpr std::uint64_t kib(std::uint64_t pages) const { return (pages << shift()) >> 10; }
};

/// Most frames that a machine can have. A header that states more is rejected.
inline constexpr std::uint64_t kMaxFrames = std::uint64_t{1} << 52;

/// A sum of proportional shares: a page mapped n times gives each mapping 2^32 / n.
///
/// The share is rounded down, so the three shares of a page mapped three times add up to 1 / 2^32
/// page too little. A million such pages (4 GB) lose one byte. The sum can hold 2^32 pages: 16 TiB
/// of 4 KiB pages in one process.
struct PageShare {
  static constexpr unsigned kShift = 32;
  std::uint64_t scaled = 0;

  static constexpr PageShare of(std::uint64_t mappings) {
    return {(std::uint64_t{1} << kShift) / (mappings == 0 ? 1 : mappings)};
  }
  constexpr PageShare& operator+=(PageShare other) {
    scaled += other.scaled;
    return *this;
  }
  constexpr double pages() const {
    return static_cast<double>(scaled) / static_cast<double>(std::uint64_t{1} << kShift);
  }
  /// Rounded to the nearest page.
  constexpr std::uint64_t whole_pages() const { return bytes(PageSize{1}); }
  /// Rounded to the nearest byte.
  constexpr std::uint64_t bytes(PageSize size) const {
    const unsigned shift = kShift - size.shift();
    return (scaled >> shift) + ((scaled >> (shift - 1)) & 1U);
  }
  auto operator<=>(const PageShare&) const = default;
};

}  // namespace physmem
