// SPDX-License-Identifier: MIT
// Words for owners of frames.
#pragma once

#include <string>

#include "analyzer/analyze/owner_identity.h"

namespace physmem {

/// file, slab, cgroup, task, code, other.
std::string owner_kind(RamOwner::Kind kind);

/// What distinguishes owners of equal names: "ext4 254:1 8421" of a file, a number or nothing.
std::string owner_identity(const OwnerIdentity& owner);

/// Why an owner is not found by its name: deleted, dying, or nothing.
std::string owner_state(const RamOwner& owner);

/// "254:1".
std::string device_text(std::uint64_t device);

}  // namespace physmem
