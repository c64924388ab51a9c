// SPDX-License-Identifier: MIT
#include "fleet/parse_options.h"
#include "fleet/run.h"
#include "program/command_main.h"

int main(int argc, char* argv[]) {
  using namespace physmem;
  return command_main(fleet::kProgramName, argc, argv, fleet::parse_options, fleet::run);
}
