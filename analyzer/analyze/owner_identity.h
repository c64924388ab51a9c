// SPDX-License-Identifier: MIT
// Recognizes owners of frames in several snapshots of one boot.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/model/ram.h"

namespace physmem {

/// file, slab, cgroup, task, code, other.
std::string owner_kind(RamOwner::Kind kind);

/// Why an owner is not found by its name: deleted, dying, or nothing.
std::string owner_state(const RamOwner& owner);

/// What identifies an owner. As inodes are reused, a file also has its path.
struct OwnerIdentity {
  RamOwner::Kind kind = RamOwner::Kind::kOther;
  std::string name;          ///< of files, slab caches and code; not compared otherwise
  std::string file_system;   ///< of a file
  std::uint64_t device = 0;  ///< of a file; of a task, its start time
  std::uint64_t number = 0;  ///< inode, number of the cgroup, or pid

  static OwnerIdentity of(const RamOwner& owner);
};

/// A file's path that could not be read ("[name not cached]", "[deleted]") equals any path.
bool is_same_owner(const OwnerIdentity& a, const OwnerIdentity& b);

/// Finds identities of a list by binary search: by their hashes, then by themselves, so that equal
/// hashes cost no more. Memory: 16 bytes per identity.
class OwnerIndex {
 public:
  /// `identity` is the one at this place of the list.
  void add(const OwnerIdentity& identity, std::size_t place);
  /// Call this after the last, and before find(). identity_at(PLACE) is an element of the list.
  template <class At>
  void sort(At identity_at) {
    std::sort(places_.begin(), places_.end(), [&](const Place& a, const Place& b) {
      if (a.hash != b.hash) return a.hash < b.hash;
      const auto order = compare(identity_at(a.at), identity_at(b.at));
      return order != 0 ? order < 0 : a.at < b.at;
    });
  }
  /// The place of the same owner in the list.
  template <class At>
  std::optional<std::size_t> find(const OwnerIdentity& identity, At identity_at) const {
    const auto first_from = [&](const OwnerIdentity& from) -> std::optional<std::size_t> {
      const auto found = std::lower_bound(
          places_.begin(), places_.end(), hash_of(from), [&](const Place& place, std::size_t hash) {
            return place.hash != hash ? place.hash < hash
                                      : compare(identity_at(place.at), from) < 0;
          });
      if (found == places_.end() || !is_same_owner(identity_at(found->at), identity))
        return std::nullopt;
      return found->at;
    };
    const auto same = first_from(identity);
    return same || identity.kind != RamOwner::Kind::kFile ? same : first_from(unreadable(identity));
  }

 private:
  struct Place {
    std::size_t hash;
    std::size_t at;
  };
  static std::size_t hash_of(const OwnerIdentity& owner);
  /// Equal owners are neighbours in this order. Of files that differ by their path only, those with
  /// an unreadable one are the first.
  static std::strong_ordering compare(const OwnerIdentity& a, const OwnerIdentity& b);
  /// The same file without its path.
  static OwnerIdentity unreadable(OwnerIdentity file);

  std::vector<Place> places_;
};

}  // namespace physmem
