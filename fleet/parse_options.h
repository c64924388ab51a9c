// SPDX-License-Identifier: MIT
// The words of a command line → Options. The table of all options is here.
#pragma once

#include "fleet/options.h"
#include "program/result.h"

namespace physmem::fleet {

Result<Options> parse_options(int argc, char* argv[]);

}  // namespace physmem::fleet
