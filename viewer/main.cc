// SPDX-License-Identifier: MIT
#include "program/command_main.h"
#include "program/memory_limit.h"
#include "viewer/embedded_page.h"
#include "viewer/options.h"
#include "viewer/run.h"

int main(int argc, char* argv[]) {
  using namespace physmem::view;
  const auto serve = [](const Options& options) {
    physmem::limit_memory(kProgramName, options.max_memory, 2);  // input reader and browser
    return run(options, {physmem_page_begin, physmem_page_end}, std::cout, std::cerr);
  };
  return physmem::command_main(kProgramName, argc, argv, parse_options, serve);
}
