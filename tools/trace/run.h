// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "paging/source/event_source.h"
#include "program/exit.h"
#include "tools/trace/options.h"

namespace physmem::record {

/// Runs until the source ends, the time is over, or a signal arrives. `messages` receives errors,
/// missing data and progress.
Exit run(const Options& options, std::ostream& messages);

}  // namespace physmem::record
