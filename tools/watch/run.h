// SPDX-License-Identifier: MIT
#pragma once

#include "program/errors.h"
#include "tools/watch/options.h"

namespace physmem::watch {

/// Runs with these options. Verdicts go to standard output, messages to standard error.
Exit run(const Options& options);

}  // namespace physmem::watch
