// SPDX-License-Identifier: MIT
#include <exception>
#include <iostream>

#include "convert/options.h"
#include "convert/run.h"
#include "program/command_main.h"
#include "program/memory_limit.h"
#include "program/signals.h"
#include "program/standard_descriptors.h"

int main(int argc, char* argv[]) {
  using namespace physmem::convert;
  physmem::fill_standard_descriptors();
  physmem::ignore_output_signals();
  try {
    const auto options = parse_options(argc, argv);
    if (!options) return static_cast<int>(report_error(std::cerr, options.error()));
    if (options->text_instead.empty()) {
      const auto input = expect_input(*options);
      if (!input) return static_cast<int>(report_error(std::cerr, input.error()));
      physmem::limit_memory("physmem-convert", options->max_memory, 1);
      return static_cast<int>(run(*options, std::cerr));
    }
    return physmem::print_instead(options->text_instead, report_error);
  } catch (const std::exception& error) {  // thrown by libraries, or out of memory
    return static_cast<int>(report_error(std::cerr, {physmem::Error::Kind::kIo, error.what()}));
  }
}
