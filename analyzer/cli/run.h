// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include <string>

#include "analyzer/input/options.h"
#include "program/exit.h"

namespace physmem {

/// Reads the snapshots and writes the answers. Messages go to `messages`.
Exit run(const Options& options, std::ostream& messages);

}  // namespace physmem
