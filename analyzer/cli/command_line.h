// SPDX-License-Identifier: MIT
// How words of a command line become options, the same for all programs that read them with Boost.
#pragma once

#include <boost/program_options.hpp>

#include "program/result.h"

namespace physmem {

/// Options may be joined (`-j2`), and may not be shortened; words without a name are `positions`.
/// An error's text does not name the program.
Result<boost::program_options::variables_map> parse_command_line(
    int argc, const char* const argv[], const boost::program_options::options_description& all,
    const boost::program_options::positional_options_description& positions);

}  // namespace physmem
