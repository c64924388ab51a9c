// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace physmem::watch {

/// From now on memory that was allocated stays with this program: allocating again asks the kernel for nothing.
void keep_freed_memory();

/// Locks what this program has and will have, so that it needs no page from a disk while the system thrashes. Empty, or
/// why not and what to do about it.
std::string lock_memory();

}  // namespace physmem::watch
