// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "analyzer/cli/options.h"

namespace physmem {

/// Exit statuses, as --help says.
enum class Exit { kDone = 0, kAlerts = 1, kUsage = 2, kBadInput = 3, kIo = 4, kDataMissing = 5 };

/// Reads the snapshots and answers; messages go to `messages`.
Exit run(const Options& options, std::ostream& messages);

/// Tells of an error, and which exit status it means.
Exit complain(std::ostream& messages, const Error& error);

}  // namespace physmem
