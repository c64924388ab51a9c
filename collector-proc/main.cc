// SPDX-License-Identifier: MIT
#include <cerrno>
#include <cstdio>

#include "collector-proc/options.h"
#include "collector-proc/run.h"
#include "program/errors.h"
#include "program/signals.h"

int main(int argc, char* argv[]) {
  using namespace physmem;
  ignore_output_signals();
  const auto options = collect::parse_options(argc, argv);
  if (!options) return static_cast<int>(collect::report_error(options.error()));
  if (options->text_instead.empty()) return static_cast<int>(collect::run(*options));
  const char* const text = options->text_instead.c_str();
  if (std::fputs(text, stdout) >= 0 && std::fflush(stdout) == 0) return 0;
  return static_cast<int>(collect::report_error(io_error("write to standard output", errno)));
}
