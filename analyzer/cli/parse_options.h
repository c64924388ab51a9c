// SPDX-License-Identifier: MIT
// The command line of physmem-analyze.
#pragma once

#include "analyzer/input/options.h"
#include "program/result.h"

namespace physmem {

Result<Options> parse_options(int argc, char* argv[]);

/// An error with a short usage if no SNAPSHOT was given and standard input is a terminal.
Status expect_input(const Options& options);

}  // namespace physmem
