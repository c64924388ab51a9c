// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "collector-proc/output.h"

namespace physmem::collect {

/// What is written to it goes on into `inner` in the compact form (formats/compact-snapshots.md),
/// each snapshot as a stream of its own: what is kept of a series is a compact file.
std::unique_ptr<Output> compact_into(std::unique_ptr<Output> inner);

}  // namespace physmem::collect
