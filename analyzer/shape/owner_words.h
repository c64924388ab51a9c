// SPDX-License-Identifier: MIT
// Words for owners of frames.
#pragma once

#include <string>

#include "analyzer/analyze/owner_identity.h"

namespace physmem {

/// What distinguishes owners of equal names: "ext4 254:1 8421" of a file, a number or nothing.
std::string owner_identity(const OwnerIdentity& owner);

/// "254:1".
std::string device_text(std::uint64_t device);

}  // namespace physmem
