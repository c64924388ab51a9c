// SPDX-License-Identifier: MIT
// Other programs of physmem.
#pragma once

#include <string>
#include <vector>

#include "program/result.h"

namespace physmem::command {

/// The path of a program: next to this one, in its place in the build tree, or in $PATH.
std::string path_of(const std::string& program);

/// Replaces this process. Returns only if that fails.
Error replace_by(const std::vector<std::string>& command);

}  // namespace physmem::command
