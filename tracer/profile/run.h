// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "analyzer/model/exit.h"
#include "tracer/profile/options.h"

namespace physmem::profile {

/// Does what the options say. `messages`: what went wrong, and what is missing.
Exit run(const Options& options, std::ostream& messages);

/// Tells the error; its exit status.
Exit complain(std::ostream& messages, const Error& error);

}  // namespace physmem::profile
