// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace physmem {

/// From now on memory that was allocated stays with this program: allocating again asks the kernel
/// for nothing.
void keep_freed_memory();

/// Raises the limit of locked memory as far as this program may; whether there is none then.
bool lift_lock_limit();

/// Locks what this program has and, where no limit forbids, will have, so that it needs no page
/// from a disk while the system thrashes; also behind a change of user. Empty, or what is not
/// locked and what to do about it.
std::string lock_memory();

}  // namespace physmem
