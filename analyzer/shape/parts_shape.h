// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "analyzer/analyze/process/file_parts.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// A row for each part of a file.
Table parts_table(const std::vector<FilePart>& parts);

}  // namespace physmem
