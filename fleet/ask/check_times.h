// SPDX-License-Identifier: MIT
// Times of a question that no answer can have.
#pragma once

#include <cstdint>

#include "fleet/ask/asked.h"
#include "program/result.h"

namespace physmem::fleet {

/// Times in the wrong order would be an empty answer, or count snapshots on both sides.
Status check_order(const Asked& asked);

/// Refuses a part of a day that has only its sum. `expired`: Store::expired_before().
Status check_expired(std::uint64_t expired, const Asked& asked);

}  // namespace physmem::fleet
