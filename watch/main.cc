// SPDX-License-Identifier: MIT
#include "program/command_main.h"
#include "program/own_memory.h"
#include "program/signals.h"
#include "program/standard_descriptors.h"
#include "watch/options.h"
#include "watch/run.h"

int main(int argc, char* argv[]) {
  using namespace physmem;
  fill_standard_descriptors();
  keep_freed_memory();
  catch_signals();
  const auto options = watch::parse_options(argc, argv);
  if (!options) return static_cast<int>(watch::report_error(options.error()));
  if (options->text_instead.empty()) return static_cast<int>(watch::run(*options));
  return print_instead(options->text_instead, [](std::ostream&, const Error& error) {
    return watch::report_error({Error::Kind::kIo, error.text});
  });
}
