// SPDX-License-Identifier: MIT
// Whether the words after a verb that runs another program fit it.
#pragma once

#include <string>
#include <vector>

#include "program/result.h"

namespace physmem::command {

/// For `record`: refuses names of files that other verbs write.
Status check_record(const std::vector<std::string>& words);

/// For `convert`: refuses a terminal as output.
Status check_convert(const std::vector<std::string>& words);

}  // namespace physmem::command
