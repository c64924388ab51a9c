// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "analyzer/model/exit.h"
#include "analyzer/model/result.h"
#include "convert/options.h"

namespace physmem::convert {

/// Says what went wrong; nothing where there is nothing to say (a reader that closed its pipe).
Exit complain(std::ostream& messages, const Error& error);

/// Ends the program by the signal that came, if one did.
Exit run(const Options& options, std::ostream& messages);

}  // namespace physmem::convert
