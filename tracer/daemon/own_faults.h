// SPDX-License-Identifier: MIT
#pragma once

#include <sys/resource.h>

namespace physmem::daemon {

/// Page faults of this program: the tracer must not be what it traces.
struct OwnFaults {
  long minor = 0;
  long major = 0;  ///< waited for a disk

  static OwnFaults so_far() {
    rusage usage = {};
    ::getrusage(RUSAGE_SELF, &usage);
    return {usage.ru_minflt, usage.ru_majflt};
  }
  OwnFaults operator-(const OwnFaults& before) const {
    return {minor - before.minor, major - before.major};
  }
};

}  // namespace physmem::daemon
