// SPDX-License-Identifier: MIT
#pragma once

#include "collector-proc/result.h"
#include "watch/options.h"

namespace physmem::watch {

/// Runs with these options. Verdicts go to standard output, messages to standard error.
collect::ExitStatus run(const Options& options);

/// Prints the error if it has a text, and returns its exit status.
collect::ExitStatus report_error(const collect::Error& error);

}  // namespace physmem::watch
