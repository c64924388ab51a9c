// SPDX-License-Identifier: MIT
#include "analyzer/shape/owner_words.h"

#include <fmt/format.h>

namespace physmem {

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

std::string device_text(std::uint64_t device) {
  return fmt::format("{}:{}", device >> 32, device & 0xFFFFFFFF);
}

}  // namespace physmem
