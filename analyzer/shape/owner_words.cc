// SPDX-License-Identifier: MIT
#include "analyzer/shape/owner_words.h"

#include <fmt/format.h>

#include <array>

namespace physmem {

std::string owner_kind(RamOwner::Kind kind) {
  constexpr std::array<const char*, 7> kWords{"file", "slab",  "cgroup", "task",
                                              "code", "mount", "other"};
  return kWords[static_cast<std::size_t>(kind)];
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
