// SPDX-License-Identifier: MIT
#pragma once

#include "program/exit.h"
#include "tools/pftraced/options.h"

namespace physmem::daemon {

Exit run(const Options& options);

}  // namespace physmem::daemon
