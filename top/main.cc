// SPDX-License-Identifier: MIT
#include "program/command_main.h"
#include "top/options.h"
#include "top/run.h"

int main(int argc, char* argv[]) {
  using namespace physmem;
  return command_main(top::kProgramName, argc, argv, top::parse_options, top::run);
}
