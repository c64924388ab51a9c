// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "formats/output/output.h"

namespace physmem {

/// Writes to `inner` in the compact form (formats/compact-snapshots.md). Each snapshot is a
/// separate stream, so the complete snapshots of a series are always a valid compact file.
std::unique_ptr<Output> compact_into(std::unique_ptr<Output> inner);

}  // namespace physmem
