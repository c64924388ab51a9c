// SPDX-License-Identifier: MIT
// The command line of physmem-analyze.
#pragma once

#include <vector>

#include "analyzer/input/options.h"
#include "program/option_text.h"
#include "program/result.h"

namespace physmem {

Result<Options> parse_options(int argc, char* argv[]);

/// The options of these names, in that order. Names that are none are left out.
std::vector<OptionText> option_texts(const std::vector<const char*>& names);

/// An error with a short usage if no SNAPSHOT was given and standard input is a terminal.
Status expect_input(const Options& options);

}  // namespace physmem
