// SPDX-License-Identifier: MIT
// What main() is in every program that has an OptionTable and throws nothing of its
// own.
#pragma once

#include <exception>
#include <iostream>
#include <new>

#include "program/exit.h"
#include "program/memory_limit.h"
#include "program/result.h"
#include "program/signals.h"
#include "program/standard_descriptors.h"

namespace physmem {

/// `run` has the options; `report_error` says an error on a stream. Both give the exit status.
template <class Options, class Run, class Complain>
int command_main(int argc, char* argv[], Result<Options> (*parse_options)(int, char**), Run run,
                 Complain report_error) {
  fill_standard_descriptors();
  ignore_output_signals();
  try {
    const Result<Options> options = parse_options(argc, argv);
    if (!options) return static_cast<int>(report_error(std::cerr, options.error()));
    if (options->text_instead.empty()) return static_cast<int>(run(*options));
    if (std::cout << options->text_instead << std::flush) return static_cast<int>(Exit::kDone);
    return static_cast<int>(
        report_error(std::cerr, Error{Error::Kind::kIo, "cannot write to standard output"}));
  } catch (const std::bad_alloc&) {
    return static_cast<int>(report_error(
        std::cerr, Error{Error::Kind::kIo, memory_refusal("what was asked for", "allow more")}));
  } catch (const std::exception& error) {  // libraries throw
    return static_cast<int>(report_error(std::cerr, Error{Error::Kind::kIo, error.what()}));
  }
}

}  // namespace physmem
