// SPDX-License-Identifier: MIT
// Command-line parsing for all programs that use Boost.Program_options.
#pragma once

#include <boost/program_options.hpp>

#include "program/result.h"

namespace physmem {

/// Short options may be joined with their value (`-j2`). Long options must not be abbreviated.
/// Words without an option are assigned by `positions`. The text of an error does not contain the
/// program's name.
Result<boost::program_options::variables_map> parse_command_line(
    int argc, const char* const argv[], const boost::program_options::options_description& all,
    const boost::program_options::positional_options_description& positions);

}  // namespace physmem
