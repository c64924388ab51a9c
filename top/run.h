// SPDX-License-Identifier: MIT
#pragma once

#include "program/errors.h"
#include "top/options.h"

namespace physmem::top {

/// Runs with these options. Messages go to standard error, after the screen was left.
Exit run(const Options& options);

}  // namespace physmem::top
