// SPDX-License-Identifier: MIT
#include "watch/own_memory.h"

#include <malloc.h>
#include <sys/mman.h>

#include <cerrno>
#include <climits>
#include <cstring>

namespace physmem::watch {

void keep_freed_memory() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_MAX, 0);
  ::mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

std::string lock_memory() {
  if (::mlockall(MCL_CURRENT | MCL_FUTURE) == 0) return {};
  return std::string("cannot lock its memory (") + std::strerror(errno) +
         "): it may stall with the rest of the system; run it as root, or raise ulimit -l";
}

}  // namespace physmem::watch
