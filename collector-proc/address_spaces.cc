// SPDX-License-Identifier: MIT
#include "collector-proc/address_spaces.h"

#include <linux/kcmp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace physmem::collect {
namespace {

// Returns 0 if equal, 1 if the first is before the second, 2 if after it, or -1 with errno.
long compare(Pid first, Pid second) {
  return ::syscall(SYS_kcmp, static_cast<pid_t>(first), static_cast<pid_t>(second), KCMP_VM, 0UL,
                   0UL);
}

}  // namespace

std::optional<Pid> AddressSpaces::owner_of(Pid task, Pid process) {
  if (compare(task, task) != 0) return std::nullopt;  // ENOSYS, EPERM, or gone
  std::size_t low = 0;
  std::size_t high = owners_.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const long order = compare(owners_[middle].task, task);
    if (order == 0) return owners_[middle].process;
    if (order < 0) {  // the owner ended, so its place is unknown
      owners_.erase(owners_.begin() + static_cast<std::ptrdiff_t>(middle));
      --high;
    } else if (order == 1) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  owners_.insert(owners_.begin() + static_cast<std::ptrdiff_t>(low), {task, process});
  return process;
}

}  // namespace physmem::collect
