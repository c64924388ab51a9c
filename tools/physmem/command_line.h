// SPDX-License-Identifier: MIT
// The command line of physmem: one command with verbs, like git and perf.
#pragma once

#include <string>

#include "program/exit.h"
#include "program/result.h"

namespace physmem::command {

/// Options in front of a verb: only --help and --version.
struct NoOptions {
  std::string text_instead;
};

/// Whether it is an option of physmem itself, which is not about a snapshot: --help, --version.
bool is_own_option(std::string_view word);
Result<NoOptions> parse_command_line(int argc, char* argv[]);

/// A verb and its words, a snapshot, or nothing. argv[0] is the first of them.
Exit run_words(int argc, char* argv[]);

}  // namespace physmem::command
