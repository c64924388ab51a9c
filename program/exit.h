// SPDX-License-Identifier: MIT
#pragma once

#include "program/result.h"

namespace physmem {

/// Exit statuses, the same for every program of the project.
enum class Exit { kDone = 0, kAlerts = 1, kUsage = 2, kBadInput = 3, kIo = 4, kDataMissing = 5 };

/// The exit status for an error that ends a program.
constexpr Exit exit_of(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::kUsage:
      return Exit::kUsage;
    case Error::Kind::kBadInput:
    case Error::Kind::kTooLarge:
      return Exit::kBadInput;
    case Error::Kind::kIo:
      break;
  }
  return Exit::kIo;
}

}  // namespace physmem
