// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <string>

#include "program/exit.h"
#include "program/result.h"

namespace physmem::view {

/// A line on `messages` that begins with the name of the program.
void say(std::ostream& messages, const std::string& text);
/// The same of an error, and the exit status that follows from it.
Exit fail(std::ostream& messages, const Error& error);

}  // namespace physmem::view
