// SPDX-License-Identifier: MIT
#pragma once

#include "collector-proc/errors.h"
#include "watch/options.h"

namespace physmem::watch {

/// Runs with these options. Verdicts go to standard output, messages to standard error.
Exit run(const Options& options);

/// Prints the error if it has a text, and returns its exit status.
Exit report_error(const Error& error);

}  // namespace physmem::watch
