// SPDX-License-Identifier: MIT
#include "program/command_main.h"
#include "tools/pftraced/options.h"
#include "tools/pftraced/run.h"

int main(int argc, char* argv[]) {
  using namespace physmem::daemon;
  return physmem::command_main(kProgramName, argc, argv, parse_options, run);
}
