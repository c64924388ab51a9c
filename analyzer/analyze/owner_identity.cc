// SPDX-License-Identifier: MIT
#include "analyzer/analyze/owner_identity.h"

#include <functional>
#include <string_view>
#include <tuple>
#include <utility>

namespace physmem {
namespace {

/// Collectors write a name in brackets instead of a path that they cannot read.
bool is_unreadable(const std::string& path) {
  return path.empty() || path.front() == '[';
}

bool has_numbers(RamOwner::Kind kind) {
  return kind == RamOwner::Kind::kFile || kind == RamOwner::Kind::kCgroup ||
         kind == RamOwner::Kind::kTask;
}

/// What is compared of the name.
std::string_view name_of(const OwnerIdentity& owner) {
  const bool is_path = owner.kind == RamOwner::Kind::kFile;
  if (is_path ? is_unreadable(owner.name) : has_numbers(owner.kind)) return {};
  return owner.name;
}

}  // namespace

std::string owner_kind(RamOwner::Kind kind) {
  switch (kind) {
    case RamOwner::Kind::kFile:
      return "file";
    case RamOwner::Kind::kSlab:
      return "slab";
    case RamOwner::Kind::kCgroup:
      return "cgroup";
    case RamOwner::Kind::kTask:
      return "task";
    case RamOwner::Kind::kCode:
      return "code";
    case RamOwner::Kind::kMount:
      return "mount";
    default:
      return "other";
  }
}

std::string owner_state(const RamOwner& owner) {
  if (owner.kind == RamOwner::Kind::kFile && owner.links == 0) return "deleted";
  return owner.is_dying ? "dying" : "";
}

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

/// Equal for the same owner. Paths are left out, as they may be unreadable.
std::size_t OwnerIndex::hash_of(const OwnerIdentity& owner) {
  const auto mix = [](std::size_t sum, std::size_t value) {
    return (sum ^ value) * 0x9E3779B97F4A7C15U + (sum >> 29);
  };
  const std::size_t sum = mix(static_cast<std::size_t>(owner.kind), owner.number);
  return mix(sum, has_numbers(owner.kind) ? owner.device : std::hash<std::string>()(owner.name));
}

std::strong_ordering OwnerIndex::compare(const OwnerIdentity& a, const OwnerIdentity& b) {
  return std::tuple(a.kind, a.number, a.device, std::string_view(a.file_system), name_of(a)) <=>
         std::tuple(b.kind, b.number, b.device, std::string_view(b.file_system), name_of(b));
}

OwnerIdentity OwnerIndex::unreadable(OwnerIdentity file) {
  file.name.clear();
  return file;
}

void OwnerIndex::add(const OwnerIdentity& identity, std::size_t place) {
  places_.push_back({hash_of(identity), place});
}

}  // namespace physmem
