// SPDX-License-Identifier: MIT Constants of the compact form (formats/compact-snapshots.md), shared
// by its writer and its reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace physmem::compact {

/// The first bytes of a file. The fifth byte is the version. The bytes after it change if the file
/// is transferred as text.
inline constexpr std::string_view kMagic{"\x89PMC1\r\n\x1a", 8};
inline constexpr std::size_t kFamily = 4;  ///< bytes of it that are the same in all versions

/// Head of a block: bytes of its payload, bytes of its text, checksum; 32 bits each, little endian.
inline constexpr std::size_t kHeadBytes = 12;
inline constexpr std::size_t kMaxPayload = 128 << 10;  ///< bytes of a block
inline constexpr std::size_t kMaxText = 64 << 10;      ///< bytes of its text

inline constexpr std::size_t kMaxFields = 64;          ///< per line: one per bit of a number
inline constexpr std::size_t kMaxNames = 1 << 16;      ///< in the dictionary
inline constexpr std::size_t kMaxNameBytes = 4 << 20;  ///< of all of them
inline constexpr std::size_t kMaxUses = 1 << 16;
inline constexpr std::size_t kMaxPast = 1 << 14;  ///< runs in the history
/// 2^64 divided by the golden ratio: a hash multiplier that spreads nearby numbers.
inline constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
inline constexpr unsigned kMaxPageShift = 24;

/// The first byte of an item, if even. An odd byte begins a run.
enum Item : std::uint8_t {
  kRaw = 0x00,        ///< a number, followed by that many bytes of text
  kResident = 0x02,   ///< the text "M:"; the runs that follow belong to it
  kSwapped = 0x04,    ///< the text "S:"; likewise
  kListEnd = 0x06,    ///< a newline
  kReset = 0x08,      ///< clears all names and uses, and the lines that refer to them
  kPageShift = 0x0A,  ///< a number n: pages have 1 << n bytes
  kShape = 0x0C,      ///< a letter, a number: lines with the letter have that many fields now
  kRepeat = 0x0E,     ///< a number: that many runs repeat the history (run_history.h)
  /// Plus 2 * (letter - 'A'): a line with as many fields as the last line with its letter.
  kLine = 0x80,
};

/// Bits in the first byte of a run.
enum RunBits : std::uint8_t {
  kRun = 0x01,
  kGap = 0x02,       ///< a number follows: pages between the last run and this one
  kJump = 0x04,      ///< a difference: between the first frame, or slot, and the predicted one
  kOtherUse = 0x08,  ///< a number: a use of the dictionary, 0 for a new one that follows
  kDown = 0x10,      ///< the frames descend
};
inline constexpr unsigned kPagesBits = 5;       ///< the bits above hold the pages after the first
inline constexpr std::uint64_t kMorePages = 7;  ///< or this; then a number with the rest follows

/// How a field that differs from its prediction is encoded: the lowest two bits of a number.
enum class FieldForm : std::uint8_t { kDifference, kHex, kDec, kName };
/// The other bits hold the difference, number or name. If all of them are set, it follows as a
/// separate number.
inline constexpr std::uint64_t kLongNumber = ~std::uint64_t{0} >> 2;

}  // namespace physmem::compact
