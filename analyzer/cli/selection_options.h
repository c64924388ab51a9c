// SPDX-License-Identifier: MIT
// --node, --zone, --tier and --by.
#pragma once

#include <string>

#include "analyzer/cli/parsed_options.h"
#include "program/result.h"

namespace physmem {

/// They return what they expect instead of the value, or an empty text.
std::string set_by(ParsedOptions& options, const char* value);
std::string add_nodes(ParsedOptions& options, const char* value);
std::string add_zones(ParsedOptions& options, const char* value);
std::string add_tiers(ParsedOptions& options, const char* value);

/// These options apply to every question that is asked, or they are an error.
Status check_selection(const ParsedOptions& options);

}  // namespace physmem
