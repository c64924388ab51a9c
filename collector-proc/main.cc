// SPDX-License-Identifier: MIT
#include <cstdio>

#include "collector-proc/options.h"
#include "collector-proc/run.h"
#include "program/signals.h"

int main(int argc, char* argv[]) {
  using namespace physmem::collect;
  physmem::ignore_output_signals();
  const Result<Options> options = parse_options(argc, argv);
  if (!options) return static_cast<int>(report_error(options.error()));
  if (!options->message.empty()) {
    const bool is_written =
        std::fputs(options->message.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
    return static_cast<int>(is_written ? ExitStatus::kDone : ExitStatus::kIo);
  }
  return static_cast<int>(run(*options));
}
