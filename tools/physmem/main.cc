// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "program/command_main.h"
#include "tools/physmem/command_line.h"
#include "tools/physmem/verbs.h"

/// Options after a verb are those of its program.
int main(int argc, char* argv[]) {
  using namespace physmem::command;
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const bool has_option = !words.empty() && words.front().starts_with('-');
  return physmem::command_main(kProgramName, has_option ? argc : 1, argv, parse_command_line,
                               [&](const NoOptions&) { return run_words(words); });
}
