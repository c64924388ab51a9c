// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "collector-proc/proc_tree.h"

namespace physmem::collect {

/// Finds processes that share an address space (a vfork child before exec, CLONE_VM without
/// CLONE_THREAD), by kcmp(KCMP_VM). kcmp orders address spaces, so a lookup among n processes takes
/// log n calls.
class AddressSpaces {
 public:
  /// Returns the first known process with the address space of task (a thread of process). This may
  /// be process itself, which is then stored. Returns nothing if the kernel does not provide it.
  std::optional<Pid> owner_of(Pid task, Pid process);

 private:
  struct Owner {
    Pid task;
    Pid process;
  };
  std::vector<Owner> owners_;  // ascending in the order of kcmp
};

}  // namespace physmem::collect
