// SPDX-License-Identifier: MIT
// The inner loop of the hot path: M: entries that differ in nothing but the digits of their two
// addresses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "analyzer/model/page_run.h"

namespace physmem {

/// What such entries have in common, learnt from one of them: " VA=VALUE, COUNT, FLAGS |".
struct EntryShape {
  /// Longer entries are read one by one: so many fit a vector, and the margin of a Window.
  static constexpr std::size_t kMaxLength = 64;
  /// From the ',' behind VALUE to the '|'.
  static constexpr std::size_t kMaxTail = 32;

  std::size_t length = 0;       ///< with the blank in front and the '|'; 0: nothing was learnt yet
  std::size_t va_width = 0;     ///< digits
  std::size_t value_width = 0;  ///< digits
  std::uint64_t count = 0;
  std::uint64_t flags = 0;
  std::array<char, kMaxLength> text{};  ///< of the entry

  std::size_t value_end() const { return 2 + va_width + value_width; }
};

/// Where 64 characters are separators: a bit of each that is.
struct Separators {
  std::uint64_t equals = 0;
  std::uint64_t commas = 0;
  std::uint64_t bars = 0;
};
/// Keeps the 64 characters in `copy`, too: as many at a time as take() will look at, or that would
/// have to wait for them.
using FindSeparators = Separators (*)(const char* at, char* copy);

/// Where runs go: `run` has room for one more. Of each, va and value are told, and in `pages` the
/// number of its first entry.
struct RunRoom {
  PageRun* run;
  std::size_t runs;
  std::size_t entries;  ///< no more than that
  std::uint64_t page_bytes;
};
struct Taken {
  std::size_t entries = 0;
  std::size_t runs = 0;
};
/// Reads entries of this shape from `at` on, as far as there is room. 64 bytes before `at` and
/// behind `end` must be readable.
using TakeAlike = Taken (*)(const char* at, const char* end, const EntryShape& shape,
                            const RunRoom& room);

struct EntryReader {
  const char* name;
  TakeAlike take;
  FindSeparators find;
};

/// Those that this processor can run, the fastest last; the first needs nothing but 64-bit
/// arithmetic.
std::span<const EntryReader> entry_readers();

/// Takes no entry and finds nothing to learn from: all is left to the careful reader.
EntryReader no_entry_reader();

}  // namespace physmem
