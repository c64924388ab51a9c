// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "monitor/options.h"
#include "program/exit.h"

namespace physmem::profile {

/// Does what the options say. `messages`: what went wrong, and what is missing.
Exit run(const Options& options, std::ostream& messages);

/// Tells the error; its exit status.
Exit report_error(std::ostream& messages, const Error& error);

}  // namespace physmem::profile
