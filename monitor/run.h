// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "monitor/options.h"
#include "program/exit.h"

namespace physmem::monitor {

/// Runs the program. `messages` receives errors and notes about missing data.
Exit run(const Options& options, std::ostream& messages);

}  // namespace physmem::monitor
