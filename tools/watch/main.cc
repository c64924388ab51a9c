// SPDX-License-Identifier: MIT
#include "program/command_main.h"
#include "program/own_memory.h"
#include "tools/watch/options.h"
#include "tools/watch/run.h"

int main(int argc, char* argv[]) {
  using namespace physmem;
  keep_freed_memory();
  catch_signals();
  return command_main(watch::kProgramName, argc, argv, watch::parse_options, watch::run);
}
