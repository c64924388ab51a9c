// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>

#include "tracer/log/options.h"

namespace physmem::log {

/// Until a signal, a closed pipe, or the daemon's end. An exit status, as --help lists them.
int run(const Options& options, std::ostream& out, std::ostream& messages);
int report_error(std::ostream& messages, const Error& error);

}  // namespace physmem::log
