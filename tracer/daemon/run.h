// SPDX-License-Identifier: MIT
#pragma once

#include "tracer/daemon/options.h"

namespace physmem::daemon {

/// Returns an exit status from --help.
int run(const Options& options);
/// Prints the error on standard error.
int report_error(const Error& error);

}  // namespace physmem::daemon
