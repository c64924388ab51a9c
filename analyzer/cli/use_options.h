// SPDX-License-Identifier: MIT
// Options of the tables for people: which processes, columns, order and unit.
#pragma once

#include <vector>

#include "analyzer/cli/parsed_options.h"
#include "program/option_table.h"
#include "program/result.h"

namespace physmem {

std::vector<OptionRow<ParsedOptions>> use_option_rows();

/// They apply to --ask ps, units and users; the filters of processes to all questions.
/// With one of these questions, --pages is the unit of sizes, and not a question.
Status check_use_options(ParsedOptions& options);

}  // namespace physmem
