// SPDX-License-Identifier: MIT
// The error of a file or an answer that needs more memory than --max-memory allows.
#pragma once

#include <string>

#include "analyzer/cli/options.h"
#include "program/result.h"

namespace physmem {

/// "--basic and --pages".
std::string asked_questions(const Options& options);

/// `subject`: the file and what was done with it.
Error memory_error(const std::string& subject, const Options& options);

}  // namespace physmem
