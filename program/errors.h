// SPDX-License-Identifier: MIT
// Errors in their common wording. An error without a text is not printed: the reader closed the
// pipe, or a signal came (silent_error()).
#pragma once

#include <string>

#include "program/exit.h"
#include "program/result.h"

namespace physmem {

/// An error that is not printed, with the exit status of an input/output error.
inline Error silent_error() {
  return {Error::Kind::kIo, {}};
}

/// "cannot WHAT: REASON", with the system's text for the error number and, if given, advice.
Error io_error(const std::string& what, int error_number, const std::string& advice = {});
Error bad_input(const std::string& what);

}  // namespace physmem
