// SPDX-License-Identifier: MIT
// The main() of every program that uses an OptionTable.
#pragma once

#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "program/exit.h"
#include "program/memory_limit.h"
#include "program/output_file.h"
#include "program/result.h"
#include "program/signals.h"
#include "program/standard_descriptors.h"

namespace physmem {

/// Prints the text of --help or --version, and gives the exit status.
template <class Complain>
int print_instead(const std::string& text, Complain report_error) {
  OutputFile output("-");
  output.stream() << text;
  const std::string problem = output.commit();
  if (problem.empty()) return static_cast<int>(Exit::kDone);
  if (output.closed_pipe()) return static_cast<int>(Exit::kIo);
  return static_cast<int>(report_error(std::cerr, Error{Error::Kind::kIo, problem}));
}

/// Calls `run` with the parsed options. `report_error` prints an error to a stream. Both return the
/// exit status.
template <class Options, class Run, class Complain>
int command_main(int argc, char* argv[], Result<Options> (*parse_options)(int, char**), Run run,
                 Complain report_error) {
  fill_standard_descriptors();
  ignore_output_signals();
  try {
    const Result<Options> options = parse_options(argc, argv);
    if (!options) return static_cast<int>(report_error(std::cerr, options.error()));
    if (options->text_instead.empty()) return static_cast<int>(run(*options));
    return print_instead(options->text_instead, report_error);
  } catch (const std::bad_alloc&) {
    return static_cast<int>(report_error(
        std::cerr, Error{Error::Kind::kIo, memory_refusal("what was asked for", "allow more")}));
  } catch (const std::exception& error) {  // thrown by libraries
    return static_cast<int>(report_error(std::cerr, Error{Error::Kind::kIo, error.what()}));
  }
}

}  // namespace physmem
