// SPDX-License-Identifier: MIT
#include <unistd.h>

#include "collector-proc/options.h"
#include "collector-proc/run.h"
#include "formats/output/output.h"
#include "program/errors.h"
#include "program/signals.h"

int main(int argc, char* argv[]) {
  using namespace physmem;
  ignore_output_signals();
  const auto options = collect::parse_options(argc, argv);
  if (!options) return static_cast<int>(collect::report_error(options.error()));
  if (options->text_instead.empty()) return static_cast<int>(collect::run(*options));
  const int error = write_fully(STDOUT_FILENO, options->text_instead);
  if (error == 0) return 0;
  return static_cast<int>(collect::report_error(io_error("write to standard output", error)));
}
