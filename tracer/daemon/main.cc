// SPDX-License-Identifier: MIT
#include "program/command_main.h"
#include "tracer/daemon/options.h"
#include "tracer/daemon/run.h"

int main(int argc, char* argv[]) {
  using namespace physmem::daemon;
  return physmem::command_main(kProgramName, argc, argv, parse_options, run);
}
