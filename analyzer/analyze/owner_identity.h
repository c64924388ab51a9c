// SPDX-License-Identifier: MIT
// Recognizes owners of frames in several snapshots of one boot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/model/ram.h"

namespace physmem {

/// What identifies an owner. As inodes are reused, a file also has its path.
struct OwnerIdentity {
  RamOwner::Kind kind = RamOwner::Kind::kOther;
  std::string name;          ///< of files, slab caches and code; not compared otherwise
  std::string file_system;   ///< of a file
  std::uint64_t device = 0;  ///< of a file; of a task, its start time
  std::uint64_t number = 0;  ///< inode, number of the control group, or pid

  static OwnerIdentity of(const RamOwner& owner);
};

/// A file's path that could not be read ("[name not cached]", "[deleted]") equals any path.
bool is_same_owner(const OwnerIdentity& a, const OwnerIdentity& b);

/// Finds identities of a list by binary search. Memory: 16 bytes per identity.
class OwnerIndex {
 public:
  /// `identity` is the one at this place of the list. Call sort() after the last.
  void add(const OwnerIdentity& identity, std::size_t place);
  void sort();
  /// The place of the same owner in a list, whose element at PLACE is identity_at(PLACE).
  template <class At>
  std::optional<std::size_t> find(const OwnerIdentity& identity, At identity_at) const {
    const auto [first, last] = range(identity);
    for (std::size_t i = first; i < last; ++i)
      if (is_same_owner(identity_at(places_[i].second), identity)) return places_[i].second;
    return std::nullopt;
  }

 private:
  std::pair<std::size_t, std::size_t> range(const OwnerIdentity& identity) const;

  std::vector<std::pair<std::size_t, std::size_t>> places_;  ///< hash and place
};

}  // namespace physmem
