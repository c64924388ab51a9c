// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>

#include "tracer/log/options.h"

namespace physmem::log {

/// Runs until a signal, a closed pipe, or the end of the daemon. Returns an exit status from
/// --help.
int run(const Options& options, std::ostream& out, std::ostream& messages);
int report_error(std::ostream& messages, const Error& error);

}  // namespace physmem::log
