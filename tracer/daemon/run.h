// SPDX-License-Identifier: MIT
#pragma once

#include "tracer/daemon/options.h"

namespace physmem::daemon {

/// An exit status, as --help lists them.
int run(const Options& options);
/// Says the error on standard error.
int report_error(const Error& error);

}  // namespace physmem::daemon
