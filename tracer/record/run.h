// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "program/exit.h"
#include "tracer/record/options.h"
#include "tracer/source/event_source.h"

namespace physmem::record {

/// Runs until the source ends, the time is over, or a signal arrives. `messages` receives errors,
/// missing data and progress.
Exit run(const Options& options, std::ostream& messages);

/// Prints the error and returns its exit status.
Exit report_error(std::ostream& messages, const Error& error);

}  // namespace physmem::record
