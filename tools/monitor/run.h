// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "program/exit.h"
#include "tools/monitor/options.h"

namespace physmem::monitor {

/// Runs the program. `messages` receives errors and notes about missing data.
Exit run(const Options& options, std::ostream& messages);

}  // namespace physmem::monitor
