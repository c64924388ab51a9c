// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

#include "program/exit.h"
#include "program/option_table.h"

namespace physmem {

/// The option --allow-missing of an OptionTable, and what stores it: the environment variable, so
/// that programs which this one starts have it, too.
inline constexpr OptionText kAllowMissingOption{
    0, "allow-missing", nullptr,
    "exit with 0 even if data is missing; what is missing is still printed. "
    "PHYSMEM_ALLOW_MISSING=1 in the environment does the same",
    "exit with 5"};
inline constexpr const char* kAllowMissingVariable = "PHYSMEM_ALLOW_MISSING";

template <class T>
std::string allow_missing(T& /*options*/, const char* /*value*/) {
  ::setenv(kAllowMissingVariable, "1", 1);
  return {};
}

/// The exit status of an answer that is whole but for data that its input lacks.
inline Exit exit_with_missing_data() {
  const char* const allowed = std::getenv(kAllowMissingVariable);
  const std::string_view word = allowed == nullptr ? "" : allowed;
  return word.empty() || word == "0" ? Exit::kDataMissing : Exit::kDone;
}

}  // namespace physmem
