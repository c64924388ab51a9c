// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include <string>

#include "analyzer/cli/options.h"
#include "program/exit.h"

namespace physmem {

/// Reads the snapshots and answers; messages go to `messages`.
Exit run(const Options& options, std::ostream& messages);

/// A line on `messages`, with the program's name.
void tell(std::ostream& messages, const std::string& text);

/// Tells of an error, and which exit status it means.
Exit report_error(std::ostream& messages, const Error& error);

}  // namespace physmem
