// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "program/exit.h"
#include "tracer/record/options.h"
#include "tracer/source/event_source.h"

namespace physmem::record {

/// Does what the options say, until the source ends, the time is over, or a signal comes.
/// `messages`: what went wrong, what is missing, and how it goes.
Exit run(const Options& options, std::ostream& messages);

/// Tells the error; its exit status.
Exit report_error(std::ostream& messages, const Error& error);

}  // namespace physmem::record
