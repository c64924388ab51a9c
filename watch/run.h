// SPDX-License-Identifier: MIT
#pragma once

#include "collector-proc/result.h"
#include "watch/options.h"

namespace physmem::watch {

/// Watches as the options say; words go to standard output, messages to standard error.
collect::ExitStatus run(const Options& options);

/// Tells the error, if there is anything to tell, and gives its exit status.
collect::ExitStatus report_error(const collect::Error& error);

}  // namespace physmem::watch
