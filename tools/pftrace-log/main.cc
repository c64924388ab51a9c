// SPDX-License-Identifier: MIT
#include "program/command_main.h"
#include "tools/pftrace-log/options.h"
#include "tools/pftrace-log/run.h"

int main(int argc, char* argv[]) {
  using namespace physmem::log;
  const auto print = [](const Options& options) { return run(options, std::cout, std::cerr); };
  return physmem::command_main(kProgramName, argc, argv, parse_options, print);
}
