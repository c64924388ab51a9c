// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "analyzer/model/result.h"
#include "tracer/options.h"

namespace physmem::profile {

/// Exit statuses, the same for every command of the project.
enum class Exit { kDone = 0, kUsage = 2, kBadInput = 3, kIo = 4, kDataMissing = 5 };

/// Does what the options say. `messages`: what went wrong, and what is missing.
Exit run(const Options& options, std::ostream& messages);

/// Tells the error; its exit status.
Exit complain(std::ostream& messages, const Error& error);

}  // namespace physmem::profile
