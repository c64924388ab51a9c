// SPDX-License-Identifier: MIT The text of the entries of a run, as written by formats/emit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "formats/compact/run.h"

namespace physmem::compact {

/// A hexadecimal number in a text. Its last eight digits are written again for each entry.
struct SteppingHex {
  std::uint64_t value = 0;
  std::uint64_t step = 0;  ///< modulo 2^64
  std::size_t at = 0;      ///< offset of the last eight digits
  std::uint32_t high = 0;  ///< upper half as in the text
};

/// An entry: " VA=VALUE, COUNT, FLAGS |" of M:, " VA=TYPE:SLOT |" of S:. Within a run its two
/// addresses step from one entry to the next.
class EntryText {
 public:
  static constexpr std::size_t kMax = 80;  ///< bytes, slightly more than the longest entry
  static constexpr std::size_t kMin = 22;

  /// Makes the entry of the first page of `run`.
  void set(const Run& run, unsigned page_shift);

  std::size_t size() const { return size_; }

  /// Whether `text` begins with this entry.
  bool begins(std::string_view text) const;

  /// Advances to the next page of the run.
  void next();

  /// Writes `pages` entries, beginning with this one, and advances past them. Returns nullptr if
  /// they would exceed `end`. Bytes up to `end + kMax` may be overwritten.
  char* write(char* at, const char* end, std::uint64_t pages);

 private:
  void write_all();
  void write_use(char* at);
  bool has_other_high() const {
    return va_.value >> 32 != va_.high || place_.value >> 32 != place_.high;
  }
  template <std::size_t kBytes>
  char* write_uniform(char* at, std::uint64_t pages);

  List list_ = List::kResident;
  Use use_;
  SteppingHex va_;
  SteppingHex place_;
  std::size_t size_ = 0;
  char text_[kMax] = {};  ///< except the last eight digits of each address
};

/// Bytes of an M: entry.
std::uint64_t entry_bytes(std::uint64_t va, std::uint64_t value, std::uint64_t count,
                          std::uint64_t flags);
/// Bytes of all entries of an M: run, which is not longer than a block.
std::uint64_t text_bytes(const Run& run, unsigned page_shift);

/// Parses the entry at the beginning of `text`, which must contain all of it. Succeeds only if
/// formats/emit would write the same text; `entry` then has that text.
std::optional<Run> parse_entry(List list, std::string_view text, unsigned page_shift,
                               EntryText& entry);

}  // namespace physmem::compact
