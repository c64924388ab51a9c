// SPDX-License-Identifier: MIT
#pragma once

#include "collector-proc/options.h"
#include "program/errors.h"

namespace physmem::collect {

/// Runs the program with these options. Prints messages to standard error.
Exit run(const Options& options);

/// Prints the error, unless its text is empty, and returns its exit status.
Exit report_error(const Error& error);

}  // namespace physmem::collect
