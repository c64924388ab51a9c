// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "convert/options.h"
#include "program/exit.h"
#include "program/result.h"

namespace physmem::convert {

/// Prints the error unless it has no text (a reader that closed its pipe). Returns the exit status.
Exit report_error(std::ostream& messages, const Error& error);

/// Converts the input. If a signal has arrived, the program ends by it.
Exit run(const Options& options, std::ostream& messages);

}  // namespace physmem::convert
