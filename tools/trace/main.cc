// SPDX-License-Identifier: MIT
#include "program/command_main.h"
#include "program/memory_limit.h"
#include "tools/trace/options.h"
#include "tools/trace/run.h"

int main(int argc, char* argv[]) {
  using namespace physmem::record;
  const auto run_limited = [](const Options& options) {
    physmem::limit_memory(kProgramName, options.max_memory);
    return run(options, std::cerr);
  };
  return physmem::command_main(kProgramName, argc, argv, parse_options, run_limited);
}
