// SPDX-License-Identifier: MIT
#include "analyzer/analyze/owner_identity.h"

#include <algorithm>
#include <functional>

namespace physmem {
namespace {

/// Collectors write a name in brackets instead of a path that they cannot read.
bool is_unreadable(const std::string& path) {
  return path.empty() || path.front() == '[';
}

/// Equal for the same owner. Paths are left out, as they may be unreadable.
std::size_t hash_of(const OwnerIdentity& owner) {
  const auto mix = [](std::size_t sum, std::size_t value) {
    return (sum ^ value) * 0x9E3779B97F4A7C15U + (sum >> 29);
  };
  const bool has_numbers = owner.kind == RamOwner::Kind::kFile ||
                           owner.kind == RamOwner::Kind::kCgroup ||
                           owner.kind == RamOwner::Kind::kTask;
  const std::size_t sum = mix(static_cast<std::size_t>(owner.kind), owner.number);
  return mix(sum, has_numbers ? owner.device : std::hash<std::string>()(owner.name));
}

}  // namespace

OwnerIdentity OwnerIdentity::of(const RamOwner& owner) {
  OwnerIdentity identity{owner.kind, owner.name, {}};
  switch (owner.kind) {
    case RamOwner::Kind::kFile:
      identity.file_system = owner.file_system;
      identity.device = owner.device;
      identity.number = owner.inode;
      break;
    case RamOwner::Kind::kTask:
      identity.device = owner.start_time;
      [[fallthrough]];
    case RamOwner::Kind::kCgroup:
      identity.number = owner.number;
      break;
    default:
      break;
  }
  return identity;
}

bool is_same_owner(const OwnerIdentity& a, const OwnerIdentity& b) {
  if (a.kind != b.kind || a.number != b.number || a.device != b.device) return false;
  if (a.kind == RamOwner::Kind::kCgroup || a.kind == RamOwner::Kind::kTask) return true;
  if (a.kind != RamOwner::Kind::kFile) return a.name == b.name;
  return a.file_system == b.file_system &&
         (a.name == b.name || is_unreadable(a.name) || is_unreadable(b.name));
}

void OwnerIndex::add(const OwnerIdentity& identity, std::size_t place) {
  places_.emplace_back(hash_of(identity), place);
}

void OwnerIndex::sort() {
  std::sort(places_.begin(), places_.end());
}

std::pair<std::size_t, std::size_t> OwnerIndex::range(const OwnerIdentity& identity) const {
  const std::size_t hash = hash_of(identity);
  const auto first =
      std::lower_bound(places_.begin(), places_.end(), std::pair(hash, std::size_t{0}));
  auto last = first;
  while (last != places_.end() && last->first == hash) ++last;
  return {static_cast<std::size_t>(first - places_.begin()),
          static_cast<std::size_t>(last - places_.begin())};
}

}  // namespace physmem
