// SPDX-License-Identifier: MIT
// Runs a verb.
#pragma once

#include <string>
#include <vector>

#include "program/exit.h"
#include "tools/physmem/verbs.h"

namespace physmem::command {

/// words[0] is the verb.
Exit run_verb(const Verb& verb, std::vector<std::string> words);

/// The picture of this machine now, or of snapshots. `words`: snapshots and options.
Exit run_overview(const std::vector<std::string>& words);

}  // namespace physmem::command
