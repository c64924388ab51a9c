// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "program/exit.h"
#include "program/result.h"
#include "tools/convert/options.h"

namespace physmem::convert {

/// Converts the input. If a signal has arrived, the program ends by it.
Exit run(const Options& options, std::ostream& messages);

}  // namespace physmem::convert
