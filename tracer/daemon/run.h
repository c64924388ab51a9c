// SPDX-License-Identifier: MIT
#pragma once

#include "program/exit.h"
#include "tracer/daemon/options.h"

namespace physmem::daemon {

Exit run(const Options& options);

}  // namespace physmem::daemon
