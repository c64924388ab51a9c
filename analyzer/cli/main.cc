// SPDX-License-Identifier: MIT
#include <exception>
#include <iostream>

#include "analyzer/cli/options.h"
#include "analyzer/cli/run.h"
#include "program/command_main.h"
#include "program/memory_limit.h"
#include "program/signals.h"
#include "program/standard_descriptors.h"

int main(int argc, char* argv[]) {
  physmem::fill_standard_descriptors();
  physmem::ignore_output_signals();
  try {
    const auto options = physmem::parse_options(argc, argv);
    if (!options) return static_cast<int>(physmem::report_error(std::cerr, options.error()));
    if (options->text_instead.empty()) {
      const auto input = physmem::expect_input(*options);
      if (!input) return static_cast<int>(physmem::report_error(std::cerr, input.error()));
      // A compressed file uses one more thread.
      physmem::limit_memory("physmem-analyze", options->max_memory, 2 * options->jobs);
      return static_cast<int>(physmem::run(*options, std::cerr));
    }
    return physmem::print_instead(options->text_instead, physmem::report_error);
  } catch (const std::exception& error) {  // thrown by libraries, or out of memory
    return static_cast<int>(
        physmem::report_error(std::cerr, {physmem::Error::Kind::kIo, error.what()}));
  }
}
