// SPDX-License-Identifier: MIT
#include <cstdio>
#include <exception>

#include "program/signals.h"
#include "program/standard_descriptors.h"
#include "tracer/daemon/options.h"
#include "tracer/daemon/run.h"

int main(int argc, char* argv[]) {
  using namespace physmem::daemon;
  physmem::fill_standard_descriptors();
  physmem::ignore_output_signals();
  try {
    const auto options = parse_options(argc, argv);
    if (!options) return report_error(options.error());
    if (options->text_instead.empty()) return run(*options);
    return std::fputs(options->text_instead.c_str(), stdout) < 0 || std::fflush(stdout) != 0 ? 4
                                                                                             : 0;
  } catch (const std::exception& error) {  // for example std::bad_alloc
    return report_error({physmem::Error::Kind::kIo, error.what()});
  }
}
