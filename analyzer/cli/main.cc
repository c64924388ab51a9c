// SPDX-License-Identifier: MIT
#include "analyzer/cli/parse_options.h"
#include "analyzer/cli/run.h"
#include "program/command_main.h"
#include "program/memory_limit.h"

int main(int argc, char* argv[]) {
  using namespace physmem;
  const auto run_limited = [](const Options& options) {
    if (Status input = expect_input(options); !input)
      return report_error(std::cerr, kProgramName, input.error());
    // A compressed file uses one more thread.
    limit_memory(kProgramName, options.max_memory, 2 * options.jobs);
    return run(options, std::cerr);
  };
  return command_main(kProgramName, argc, argv, parse_options, run_limited);
}
