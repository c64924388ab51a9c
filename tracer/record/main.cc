// SPDX-License-Identifier: MIT
#include "tracer/command_main.h"
#include "tracer/record/options.h"
#include "tracer/record/run.h"

int main(int argc, char* argv[]) {
  using namespace physmem::record;
  return physmem::command_main(
      argc, argv, parse_options, [](const Options& options) { return run(options, std::cerr); }, complain);
}
