// SPDX-License-Identifier: MIT
// Messages and errors on standard error, in the form of every program: "PROGRAM: TEXT".
#pragma once

#include <ostream>
#include <string_view>

#include "program/exit.h"
#include "program/printable.h"

namespace physmem {

/// Prints one message, at once.
inline void report(std::ostream& to, std::string_view program, std::string_view text) {
  to << message_line(program, text) << std::flush;
}

/// Prints the error and returns its exit status. An error has no text if the reader closed the
/// pipe; nothing is printed.
inline Exit report_error(std::ostream& to, std::string_view program, const Error& error) {
  if (!error.text.empty()) report(to, program, error.text);
  return exit_of(error.kind);
}

}  // namespace physmem
