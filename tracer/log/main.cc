// SPDX-License-Identifier: MIT
#include "program/command_main.h"
#include "tracer/log/options.h"
#include "tracer/log/run.h"

int main(int argc, char* argv[]) {
  using namespace physmem::log;
  return physmem::command_main(
      argc, argv, parse_options,
      [](const Options& options) { return run(options, std::cout, std::cerr); }, report_error);
}
