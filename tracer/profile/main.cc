// SPDX-License-Identifier: MIT
#include "tracer/command_main.h"
#include "tracer/profile/options.h"
#include "tracer/profile/run.h"

int main(int argc, char* argv[]) {
  using namespace physmem::profile;
  return physmem::command_main(
      argc, argv, parse_options, [](const Options& options) { return run(options, std::cerr); }, complain);
}
