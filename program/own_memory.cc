// SPDX-License-Identifier: MIT
#include "program/own_memory.h"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <cerrno>
#include <climits>
#include <cstring>

namespace physmem {

void keep_freed_memory() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_MAX, 0);
  ::mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

bool lift_lock_limit() {
  rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
  if (::setrlimit(RLIMIT_MEMLOCK, &limit) == 0) return true;
  if (::getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return false;
  limit.rlim_cur = limit.rlim_max;
  return ::setrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
}

std::string lock_memory() {
  // With a limit that applies now or after root is given up, MCL_FUTURE would make allocations
  // fail.
  const bool is_unlimited = lift_lock_limit();
  if (::mlockall(is_unlimited ? MCL_CURRENT | MCL_FUTURE : MCL_CURRENT) != 0)
    return std::string("cannot lock its memory (") + std::strerror(errno) +
           "): it may stall with the rest of the system; run it as root, or raise ulimit -l";
  if (is_unlimited) return {};
  return "its later allocations are not locked, because locked memory is limited here: it may "
         "stall with the rest of the system; raise ulimit -l (LimitMEMLOCK=infinity)";
}

}  // namespace physmem
