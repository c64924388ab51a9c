// SPDX-License-Identifier: MIT
// What writer and reader of the compact form both know at each place of a snapshot (formats/compact-records.md).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/model/page_run.h"

namespace physmem::compact {

inline constexpr std::string_view kMagic{"\x89PMC1\r\n\x1a", 8};
/// Before each block: its length and its CRC-32, four bytes each, the lowest first. A length of 0 is the end.
inline constexpr std::size_t kBlockHead = 8;
inline constexpr std::size_t kMostPayload = 1 << 20;  ///< bytes of a block, most
inline constexpr std::size_t kMostFields = 64;        ///< of a line

/// What a byte at the begin of an item says; odd ones begin a run.
enum Token : std::uint8_t {
  kRaw = 0,      ///< a number, then so many bytes as they are
  kEntries = 2,  ///< the text "M:"
  kNewline = 4,  ///< the end of an M: line
  kForget = 8,   ///< all names, and the lines that have them
  kNewLine = 6,  ///< a letter, a number of fields: a line that has not as many as the last with its letter
  kLine = 0x80,  ///< and twice the letter's place after 'A': a line like the last with its letter
};

/// A run: what is unlike the run before.
enum RunBits : std::uint8_t {
  kRun = 1,
  kGap = 2,
  kElsewhere = 4,
  kOtherUse = 8,
  kPagesShift = 4,
  kMorePages = 15
};

/// How a field is coded: in the lowest two bits of a number, whose others are the number, difference or name; all of them
/// set: the number follows.
enum class FieldForm : std::uint8_t { kDifference, kHex, kDec, kName };
inline constexpr std::uint64_t kLongNumber = ~std::uint64_t{0} >> 2;

/// One field of a line: a number where it is written as a collector writes numbers, else a name.
struct Field {
  enum class Kind : std::uint8_t { kName, kHex, kDec };
  Kind kind = Kind::kName;
  std::uint64_t number = 0;  ///< of a name: its place in Names

  bool operator==(const Field&) const = default;
};

/// A number is one when writing it gives the same text; nothing otherwise. `likely`: what 12345678 is meant to be.
std::optional<Field> number_field(std::string_view text, Field::Kind likely);
void append_number(std::string& out, const Field& field);

/// How pages are used: what a run has besides its addresses.
struct Use {
  std::uint64_t count = 0;
  std::uint64_t flags = 0;
  std::uint64_t low_bits = 0;   ///< of the page-table value, below the address
  std::uint64_t high_bits = 0;  ///< above it

  auto operator<=>(const Use&) const = default;
};

/// Things that are given once, and then by number. The first is the empty one.
template <class Thing, class Index>
class Dictionary {
 public:
  Dictionary() { add({}); }
  std::size_t size() const { return things_.size(); }
  const Thing& operator[](std::size_t i) const { return things_[i]; }
  std::optional<std::size_t> find(const Thing& thing) const {
    const auto it = index_.find(thing);
    return it == index_.end() ? std::nullopt : std::optional(it->second);
  }
  std::size_t add(Thing thing) {
    index_.emplace(thing, things_.size());
    things_.push_back(std::move(thing));
    return things_.size() - 1;
  }

 private:
  std::vector<Thing> things_;
  Index index_;
};

using Names = Dictionary<std::string, std::unordered_map<std::string, std::size_t>>;
using Uses = Dictionary<Use, std::map<Use, std::size_t>>;
/// As many uses are remembered, and so many bytes of names; kForget makes room for other names.
inline constexpr std::size_t kMostUses = 1 << 16;
inline constexpr std::size_t kMostNameBytes = 4 << 20;

/// The lines and runs so far. Writer and reader call the same functions in the same order.
class State {
 public:
  /// The last line with this letter: nothing when there was none.
  const std::vector<Field>& last(char letter) const { return lines_[place(letter)]; }
  /// What field `i` of a line with this letter will most likely be, when those before it are known.
  Field predicted(char letter, const std::vector<Field>& before) const;
  void set_last(char letter, std::vector<Field> fields);

  std::uint64_t page_bytes() const { return page_bytes_; }
  std::uint64_t next_va() const { return next_va_; }
  std::uint64_t next_frame() const { return next_frame_; }
  /// Moves behind the run.
  void pass(const PageRun& run);

  std::uint64_t frame(std::uint64_t value) const { return (value & kAddress) / page_bytes_; }
  Use use(const PageRun& run) const;
  std::uint64_t value(std::uint64_t frame, const Use& use) const;

  const std::string& name(std::uint64_t i) const { return names_[i]; }
  std::uint64_t names() const { return names_.size(); }
  std::optional<std::size_t> find_name(const std::string& name) const { return names_.find(name); }
  /// `false` from name_fits(): forget() first.
  bool name_fits(std::size_t bytes) const { return name_bytes_ + bytes <= kMostNameBytes; }
  std::uint64_t add_name(std::string name);
  void forget();

  Uses uses;

 private:
  /// Address bits of page-table values on every machine: what is above belongs to how a page is used.
  static constexpr std::uint64_t kAddress = (std::uint64_t{1} << 52) - 1;
  static std::size_t place(char letter) { return static_cast<std::size_t>(letter - 'A'); }
  Field of_area(const std::vector<Field>& before, const Field& same) const;
  Field of_counts(const std::vector<Field>& before, const Field& same) const;

  std::array<std::vector<Field>, 26> lines_;
  Names names_;
  std::size_t name_bytes_ = 0;
  std::uint64_t page_bytes_ = 4096;
  std::uint64_t next_va_ = 0;
  std::uint64_t next_frame_ = 0;
};

/// The lower half of a number as eight hex digits.
void put_digits(char* at, std::uint64_t value);

/// Numbers of 7 bits a byte, the lowest first; signed ones with the sign in the lowest bit.
void put_number(std::string& out, std::uint64_t value);
std::uint64_t zigzag(std::uint64_t difference);
std::uint64_t from_zigzag(std::uint64_t value);

}  // namespace physmem::compact
