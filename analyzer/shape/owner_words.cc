// SPDX-License-Identifier: MIT
#include "analyzer/shape/owner_words.h"

#include <fmt/format.h>

namespace physmem {

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

std::string owner_identity(const OwnerIdentity& owner) {
  switch (owner.kind) {
    case RamOwner::Kind::kFile:
      return fmt::format("{} {} {}", owner.file_system, device_text(owner.device), owner.number);
    case RamOwner::Kind::kCgroup:
    case RamOwner::Kind::kTask:
      return fmt::format("{}", owner.number);
    default:
      return "";
  }
}

std::string owner_state(const RamOwner& owner) {
  if (owner.kind == RamOwner::Kind::kFile && owner.links == 0) return "deleted";
  return owner.is_dying ? "dying" : "";
}

std::string device_text(std::uint64_t device) {
  return fmt::format("{}:{}", device >> 32, device & 0xFFFFFFFF);
}

}  // namespace physmem
