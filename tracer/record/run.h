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

}  // namespace physmem::record
