// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "fleet/ask/answer.h"
#include "fleet/options.h"
#include "program/exit.h"

namespace physmem::fleet {

/// Writes an answer in the form that the user asked for.
Exit print_answer(Answer answer, const Options& options, std::ostream& messages);

}  // namespace physmem::fleet
