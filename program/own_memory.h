// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace physmem {

/// Keeps freed memory in the process, so that a later allocation of it needs no system call.
void keep_freed_memory();

/// Raises the limit of locked memory as far as permitted. True if it is unlimited then.
bool lift_lock_limit();

/// Locks the current memory of the process, so that it reads no pages from disk while the system
/// thrashes. Without a limit of locked memory, future memory is locked too, also after a change of
/// user. Empty, or a message about what is not locked and what to do about it.
std::string lock_memory();

}  // namespace physmem
