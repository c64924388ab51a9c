// SPDX-License-Identifier: MIT
// The inner loop of the hot path: reads M: entries that differ only in the digits of their two
// addresses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "analyzer/model/page_run.h"

namespace physmem {

/// What such entries " VA=VALUE, COUNT, FLAGS |" have in common, learnt from one of them.
struct EntryShape {
  /// Longer entries are read one by one. This many bytes fit a vector and the margin of a Window.
  static constexpr std::size_t kMaxLength = 64;
  /// From the ',' after VALUE to the '|'.
  static constexpr std::size_t kMaxTail = 32;

  std::size_t length = 0;       ///< with the blank in front and the '|'; 0: no shape learnt yet
  std::size_t va_width = 0;     ///< digits
  std::size_t value_width = 0;  ///< digits
  std::uint64_t count = 0;
  std::uint64_t flags = 0;
  std::array<char, kMaxLength> text{};  ///< of the entry

  std::size_t value_end() const { return 2 + va_width + value_width; }
};

/// Which of 64 characters are separators, one bit for each character.
struct Separators {
  std::uint64_t equals = 0;
  std::uint64_t commas = 0;
  std::uint64_t bars = 0;
};
/// Also stores the 64 characters in `copy`, in the widths that take() loads, so that its loads do
/// not stall on store forwarding.
using FindSeparators = Separators (*)(const char* at, char* copy);

/// Where runs are written; `run` has room for one more. Sets va and value of each run, and `pages`
/// to the number of its first entry.
struct RunRoom {
  PageRun* run;
  std::size_t runs;
  std::size_t entries;  ///< limit
  std::uint64_t page_bytes;
};
struct Taken {
  std::size_t entries = 0;
  std::size_t runs = 0;
};
/// Reads entries of this shape from `at` on while there is room. 64 bytes before `at` and after
/// `end` must be readable.
using TakeUniform = Taken (*)(const char* at, const char* end, const EntryShape& shape,
                              const RunRoom& room);

struct EntryReader {
  const char* name;
  TakeUniform take;
  FindSeparators find;
};

/// The readers that this CPU supports, the fastest last. The first requires only 64-bit
/// arithmetic.
std::span<const EntryReader> entry_readers();

/// Reads no entry and learns no shape, so that all entries take the strict path.
EntryReader no_entry_reader();

}  // namespace physmem
