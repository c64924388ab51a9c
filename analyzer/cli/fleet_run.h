// SPDX-License-Identifier: MIT
// Many snapshots in one answer: physmem-analyze with a directory, or with --fleet.
#pragma once

#include <iosfwd>

#include "analyzer/cli/options.h"
#include "program/exit.h"

namespace physmem {

/// A directory is among the inputs, or the user says so.
bool is_for_fleet(const Options& options);

/// Files are read side by side, and answered for in order: the same with any number of threads. A
/// file that cannot be read is told of and left out. A signal ends the reading; the answer then has
/// what was whole.
Exit run_fleet(const Options& options, std::ostream& messages);

}  // namespace physmem
