// SPDX-License-Identifier: MIT
#pragma once

#include "fleet/options.h"
#include "program/exit.h"

namespace physmem::fleet {

Exit run(const Options& options);

}  // namespace physmem::fleet
