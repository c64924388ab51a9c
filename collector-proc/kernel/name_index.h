// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace physmem::collect {

/// Numbers of named records, found by name. The names stay where the records have them, so that a
/// name takes 8 to 16 bytes here: a kernel has 200,000.
class NameIndex {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// `names`: at most so many will be added.
  explicit NameIndex(std::size_t names = 0) : places_(std::bit_ceil(2 * names + 1), kNone) {}

  /// Where the record of this name stands; kNone there: no record has it yet, and the caller may
  /// put one there. name_of(record) is the name of a record that was added.
  template <typename NameOf>
  std::uint32_t& place(std::string_view name, const NameOf& name_of) {
    return places_[find_place(name, name_of)];
  }
  /// The record of this name, or kNone.
  template <typename NameOf>
  std::uint32_t find(std::string_view name, const NameOf& name_of) const {
    return places_[find_place(name, name_of)];
  }

 private:
  template <typename NameOf>
  std::size_t find_place(std::string_view name, const NameOf& name_of) const {
    const std::size_t mask = places_.size() - 1;
    const std::hash<std::string_view> hash;
    std::size_t at = hash(name) & mask;
    while (places_[at] != kNone && name_of(places_[at]) != name) at = (at + 1) & mask;
    return at;
  }

  std::vector<std::uint32_t> places_;  ///< half of them at least are free
};

}  // namespace physmem::collect
