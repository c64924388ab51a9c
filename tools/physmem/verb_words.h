// SPDX-License-Identifier: MIT
// Whether the words of a command line fit its verb. Messages name only what the user has typed.
#pragma once

#include <string>
#include <vector>

#include "program/result.h"
#include "tools/physmem/verbs.h"

namespace physmem::command {

/// For an analysis: refuses options of the program that the verb does not have, and outputs of
/// other verbs. Unknown options are left to the program.
Status check_words(const Verb& verb, const std::vector<std::string>& words);

/// For `record`: refuses names of files that are no snapshots, and a terminal as output.
Status check_record(const std::vector<std::string>& words);

/// For `convert`: refuses a terminal as output.
Status check_convert(const std::vector<std::string>& words);

/// The program's error, with the help of the verb instead of that of the program.
Error for_verb(const Verb& verb, Error error);

}  // namespace physmem::command
