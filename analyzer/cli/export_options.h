// SPDX-License-Identifier: MIT
// Options of exports: --ask folded, --sqlite and --perfetto.
#pragma once

#include "analyzer/cli/parsed_options.h"
#include "program/option_table.h"
#include "program/result.h"

namespace physmem {

OptionRow<ParsedOptions> weight_row();

/// A database and a trace contain all that they can hold, so no analysis and no part of RAM can be
/// chosen.
Status check_exports(const ParsedOptions& options);

}  // namespace physmem
