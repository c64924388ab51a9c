// SPDX-License-Identifier: MIT
#include "system/memory_limit.h"
#include "tracer/command_main.h"
#include "tracer/profile/options.h"
#include "tracer/profile/run.h"

int main(int argc, char* argv[]) {
  using namespace physmem::profile;
  const auto run_limited = [](const Options& options) {
    physmem::limit_memory("physmem-monitor", options.max_memory);
    return run(options, std::cerr);
  };
  return physmem::command_main(argc, argv, parse_options, run_limited, complain);
}
