// SPDX-License-Identifier: MIT
// Whether options fit together.
#pragma once

#include "analyzer/cli/parsed_options.h"
#include "program/result.h"

namespace physmem {

/// An error for options that contradict each other, or that would change nothing.
Status check_options(const ParsedOptions& options);

}  // namespace physmem
