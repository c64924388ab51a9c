// SPDX-License-Identifier: MIT
#include "program/command_main.h"
#include "program/memory_limit.h"
#include "tools/convert/options.h"
#include "tools/convert/run.h"

int main(int argc, char* argv[]) {
  using namespace physmem::convert;
  const auto run_limited = [](const Options& options) {
    if (physmem::Status input = expect_input(options); !input)
      return physmem::report_error(std::cerr, kProgramName, input.error());
    physmem::limit_memory(kProgramName, options.max_memory, 1);
    return run(options, std::cerr);
  };
  return physmem::command_main(kProgramName, argc, argv, parse_options, run_limited);
}
