// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "collector-proc/proc_tree.h"

namespace physmem::collect {

/// Tells which processes have one and the same address space (a vfork child before exec, CLONE_VM
/// without CLONE_THREAD), by kcmp(KCMP_VM). kcmp orders address spaces, so a process is found among
/// n by log n calls.
class AddressSpaces {
 public:
  /// The process that was met first with the address space of task (a thread of process): possibly
  /// process itself, which is then remembered. Nothing when the kernel does not tell.
  std::optional<Pid> owner_of(Pid task, Pid process);

 private:
  struct Owner {
    Pid task;
    Pid process;
  };
  std::vector<Owner> owners_;  // ascending in the order of kcmp
};

}  // namespace physmem::collect
