// SPDX-License-Identifier: MIT
// The main() of every program that uses an OptionTable.
#pragma once

#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "program/exit.h"
#include "program/memory_limit.h"
#include "program/messages.h"
#include "program/output_file.h"
#include "program/result.h"
#include "program/signals.h"
#include "program/standard_descriptors.h"

namespace physmem {

/// Prints the text of --help or --version, and gives the exit status.
inline Exit print_instead(const char* program, const std::string& text) {
  OutputFile output("-");
  output.stream() << text;
  const std::string problem = output.commit();
  if (problem.empty()) return Exit::kDone;
  if (output.closed_pipe()) return Exit::kIo;
  return report_error(std::cerr, program, {Error::Kind::kIo, problem});
}

/// Calls `run` with the parsed options. Returns the exit status.
template <class Options, class Run>
int command_main(const char* program, int argc, char* argv[],
                 Result<Options> (*parse_options)(int, char**), Run run) {
  const auto failed = [program](Error::Kind kind, const std::string& text) {
    return static_cast<int>(report_error(std::cerr, program, {kind, text}));
  };
  fill_standard_descriptors();
  ignore_output_signals();
  try {
    const Result<Options> options = parse_options(argc, argv);
    if (!options) return failed(options.error().kind, options.error().text);
    if (options->text_instead.empty()) return static_cast<int>(run(*options));
    return static_cast<int>(print_instead(program, options->text_instead));
  } catch (const std::bad_alloc&) {
    return failed(Error::Kind::kIo, memory_refusal("the program", "allow more"));
  } catch (const std::exception& error) {  // thrown by libraries
    return failed(Error::Kind::kIo, error.what());
  }
}

}  // namespace physmem
