// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <string>

#include "program/exit.h"
#include "program/result.h"

namespace physmem::view {

/// Prints a line to `messages` that begins with the program name.
void say(std::ostream& messages, const std::string& text);
/// Prints an error in the same way and returns its exit status.
Exit fail(std::ostream& messages, const Error& error);

}  // namespace physmem::view
