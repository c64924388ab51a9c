// SPDX-License-Identifier: MIT
#include <algorithm>

#include "program/command_main.h"
#include "tools/physmem/command_line.h"
#include "tools/physmem/verbs.h"

/// Options after a verb belong to the verb or to its program.
int main(int argc, char* argv[]) {
  using namespace physmem::command;
  const int name = std::min(argc, 1);
  const bool has_option = argc > 1 && is_own_option(argv[1]);
  return physmem::command_main(
      kProgramName, has_option ? argc : name, argv, parse_command_line,
      [&](const NoOptions&) { return run_words(argc - name, argv + name); });
}
