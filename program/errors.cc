// SPDX-License-Identifier: MIT
#include "program/errors.h"

#include <cstring>
#include <utility>

namespace physmem {

Error io_error(const std::string& what, int error_number, const std::string& advice) {
  std::string text = "cannot " + what + ": " + std::strerror(error_number);
  if (!advice.empty()) text += "; " + advice;
  return {Error::Kind::kIo, std::move(text)};
}

Error bad_input(const std::string& what) {
  return {Error::Kind::kBadInput, what};
}

}  // namespace physmem
