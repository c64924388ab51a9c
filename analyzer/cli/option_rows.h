// SPDX-License-Identifier: MIT
// All options of physmem-analyze. Each verb of physmem has some of them.
#pragma once

#include <vector>

#include "analyzer/cli/parsed_options.h"
#include "program/option_table.h"

namespace physmem {

using OptionRows = std::vector<OptionRow<ParsedOptions>>;

std::vector<OptionGroup<ParsedOptions>> option_groups();

}  // namespace physmem
