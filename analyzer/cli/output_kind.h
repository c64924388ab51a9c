// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "program/output_file.h"

namespace physmem {

/// A report has the names and sizes of all processes. If other users may not read each of its
/// inputs, they may not read a new report either. They cannot read a pipe.
OutputKind kind_of_output(const std::vector<std::string>& inputs);

}  // namespace physmem
