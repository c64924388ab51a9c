// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>

#include "program/exit.h"
#include "tools/pftrace-log/options.h"

namespace physmem::log {

/// Runs until a signal, a closed pipe, or the end of the daemon.
Exit run(const Options& options, std::ostream& out, std::ostream& messages);

}  // namespace physmem::log
