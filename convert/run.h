// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "convert/options.h"
#include "program/exit.h"
#include "program/result.h"

namespace physmem::convert {

/// Says what went wrong; nothing where there is nothing to say (a reader that closed its pipe).
Exit report_error(std::ostream& messages, const Error& error);

/// Ends the program by the signal that came, if one did.
Exit run(const Options& options, std::ostream& messages);

}  // namespace physmem::convert
