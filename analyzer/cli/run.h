// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include <string>

#include "analyzer/cli/options.h"
#include "program/exit.h"

namespace physmem {

/// Reads the snapshots and writes the answers. Messages go to `messages`.
Exit run(const Options& options, std::ostream& messages);

/// Prints a line with the program's name to `messages`.
void tell(std::ostream& messages, const std::string& text);

/// Prints an error and returns its exit status.
Exit report_error(std::ostream& messages, const Error& error);

}  // namespace physmem
