// SPDX-License-Identifier: MIT State that writer and reader of the compact form share at each
// position of a snapshot.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/compact/field.h"
#include "formats/compact/format.h"
#include "formats/compact/run.h"
#include "formats/compact/run_history.h"

namespace physmem::compact {

/// The dictionaries, the last line per letter, and the last run of each list. Both sides apply the
/// same changes in the same order. Its size is bounded for any input: 65536 names of 4 MiB in
/// total, 65536 uses, 16384 past runs, 26 lines of 64 fields.
class State {
 public:
  State();

  /// The last line with this letter; empty if there was none.
  const std::vector<Field>& last(char letter) const { return lines_[place_of(letter)]; }
  /// Predicts field `before.size()` of a line with this letter that begins with the fields in
  /// `before`.
  Field predicted(char letter, std::span<const Field> before) const;
  /// Differences from the prediction are multiples of 1 << unit_shift(), because addresses and
  /// sizes of VMAs are whole pages.
  unsigned unit_shift(char letter, const Field& field) const;
  void set_last(char letter, std::span<const Field> fields);
  /// Lines with this letter have `fields` fields from now on. Initially each is the empty name.
  void set_shape(char letter, std::size_t fields) { lines_[place_of(letter)].assign(fields, {}); }

  unsigned page_shift() const { return page_shift_; }
  void set_page_shift(unsigned shift) { page_shift_ = shift; }

  /// Where the last run of a list would continue.
  struct Next {
    std::uint64_t va = 0;
    std::uint64_t place = 0;
    std::uint16_t use = 0;  ///< index in the dictionary
  };
  const Next& next(List list) const { return next_[static_cast<std::size_t>(list)]; }
  /// Advances past a run of this list.
  void pass(List list, const PastRun& run);
  RunHistory& history() { return history_; }

  /// Entry 0 of both dictionaries is empty.
  std::string_view name(std::uint64_t i) const { return names_[static_cast<std::size_t>(i)]; }
  std::uint64_t names() const { return names_.size(); }
  bool has_room_for_name(std::size_t bytes) const {
    return names_.size() < kMaxNames && name_bytes_ + bytes <= kMaxNameBytes;
  }
  void add_name(std::string_view name);

  const Use& use(std::uint64_t i) const { return uses_[static_cast<std::size_t>(i)]; }
  std::uint64_t uses() const { return uses_.size(); }
  bool has_room_for_use() const { return uses_.size() < kMaxUses; }
  void add_use(const Use& use) { uses_.push_back(use); }

  /// Resets dictionaries, lines and history. Positions where runs continue are kept, with the empty
  /// use.
  void reset();

 private:
  static std::size_t place_of(char letter) { return static_cast<std::size_t>(letter - 'A'); }

  std::array<std::vector<Field>, 26> lines_;
  std::vector<std::string> names_;
  std::size_t name_bytes_ = 0;
  std::vector<Use> uses_;
  std::array<Next, 2> next_;
  RunHistory history_;
  unsigned page_shift_ = 12;
};

}  // namespace physmem::compact
