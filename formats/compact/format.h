// SPDX-License-Identifier: MIT
// The numbers of the compact form (formats/compact-snapshots.md) that its writer and its reader
// share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace physmem::compact {

/// A file begins so. The fifth byte is the version; what is behind it changes when somebody takes
/// the file for text.
inline constexpr std::string_view kMagic{"\x89PMC1\r\n\x1a", 8};
inline constexpr std::size_t kFamily = 4;  ///< bytes of it that every version has

/// Before each block: bytes of its payload, bytes of its text, checksum; 32 bits each, the lowest
/// byte first.
inline constexpr std::size_t kHeadBytes = 12;
inline constexpr std::size_t kMaxPayload = 128 << 10;  ///< bytes of a block, most
inline constexpr std::size_t kMaxText = 64 << 10;      ///< bytes that it becomes, most

inline constexpr std::size_t kMaxFields = 64;          ///< of a line: as many as a number has bits
inline constexpr std::size_t kMaxNames = 1 << 16;      ///< in the dictionary
inline constexpr std::size_t kMaxNameBytes = 4 << 20;  ///< of all of them
inline constexpr std::size_t kMaxUses = 1 << 16;
inline constexpr std::size_t kMaxPast = 1 << 14;  ///< runs that are remembered
inline constexpr std::uint64_t kOdd =
    0x9E3779B97F4A7C15;  ///< 2^64 over the golden ratio: spreads numbers that are near
inline constexpr unsigned kMaxPageShift = 24;

/// The first byte of an item, where it is even; an odd one begins a run.
enum Item : std::uint8_t {
  kRaw = 0x00,        ///< a number, then so many bytes of text as they are
  kResident = 0x02,   ///< the text "M:"; runs that follow are of it
  kSwapped = 0x04,    ///< the text "S:"; likewise
  kListEnd = 0x06,    ///< a newline
  kForget = 0x08,     ///< all names and uses, and the lines that have them
  kPageShift = 0x0A,  ///< a number: pages have 1 << so many bytes
  kShape = 0x0C,      ///< a letter, a number: lines with the letter have so many fields from now on
  kRepeat = 0x0E,     ///< a number: so many runs as history has them (run_history.h)
  kLine = 0x80,  ///< and twice the letter's place behind 'A': a line, shaped as the last with its
                 ///< letter
};

/// What the first byte of a run tells.
enum RunBits : std::uint8_t {
  kRun = 0x01,
  kGap = 0x02,       ///< a number follows: pages between the last run and this one
  kJump = 0x04,      ///< a difference: between the first frame, or slot, and the expected one
  kOtherUse = 0x08,  ///< a number: a use of the dictionary, 0 for one that follows
  kDown = 0x10,      ///< the frames descend
};
inline constexpr unsigned kPagesBits = 5;       ///< above them: pages behind the first,
inline constexpr std::uint64_t kMorePages = 7;  ///< or this, and a number: as many more

/// How a field is given that is not as it was predicted: the lowest two bits of a number.
enum class FieldForm : std::uint8_t { kDifference, kHex, kDec, kName };
/// The other bits: the difference, number or name; all of them set when it follows as a number of
/// its own.
inline constexpr std::uint64_t kLongNumber = ~std::uint64_t{0} >> 2;

}  // namespace physmem::compact
