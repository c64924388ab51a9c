// SPDX-License-Identifier: MIT
#pragma once

#include <sys/resource.h>

namespace physmem::daemon {

/// Page faults of this program, to show that the tracer does not trace itself.
struct OwnFaults {
  long minor = 0;
  long major = 0;  ///< waited for disk I/O

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
