// SPDX-License-Identifier: MIT
// What writer and reader of the compact form both know at each place of a snapshot.
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

/// The dictionary, the last line with each letter, the last run of each list. Both sides do the
/// same to it in the same order. Its size is bounded whatever a file says: 65536 names of 4 MiB,
/// 65536 uses and past runs, 26 lines of 64 fields.
class State {
 public:
  State();

  /// The last line with this letter; without fields where there was none.
  const std::vector<Field>& last(char letter) const { return lines_[place_of(letter)]; }
  /// What field `before.size()` of a line with this letter will most likely be, behind those in
  /// `before`.
  Field predicted(char letter, std::span<const Field> before) const;
  /// Differences from what was predicted are multiples of 1 << so many: an area's addresses and
  /// sizes are whole pages.
  unsigned unit_shift(char letter, const Field& field) const;
  void set_last(char letter, std::span<const Field> fields);
  /// Lines with this letter have so many fields from now on; all of them the empty name so far.
  void set_shape(char letter, std::size_t fields) { lines_[place_of(letter)].assign(fields, {}); }

  unsigned page_shift() const { return page_shift_; }
  void set_page_shift(unsigned shift) { page_shift_ = shift; }

  /// Where a run of this list would go on.
  struct Next {
    std::uint64_t va = 0;
    std::uint64_t place = 0;
    std::uint16_t use = 0;  ///< its place in the dictionary
  };
  const Next& next(List list) const { return next_[static_cast<std::size_t>(list)]; }
  /// Behind a run that was told so, in this list.
  void pass(List list, const PastRun& run);
  RunHistory& history() { return history_; }

  /// Both dictionaries begin with the empty thing.
  std::string_view name(std::uint64_t i) const { return names_[i]; }
  std::uint64_t names() const { return names_.size(); }
  bool has_room_for_name(std::size_t bytes) const {
    return names_.size() < kMaxNames && name_bytes_ + bytes <= kMaxNameBytes;
  }
  void add_name(std::string_view name);

  const Use& use(std::uint64_t i) const { return uses_[i]; }
  std::uint64_t uses() const { return uses_.size(); }
  bool has_room_for_use() const { return uses_.size() < kMaxUses; }
  void add_use(const Use& use) { uses_.push_back(use); }

  /// Dictionaries, lines and history as at the beginning. Where runs would go on stays, with the
  /// empty use.
  void forget();

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
