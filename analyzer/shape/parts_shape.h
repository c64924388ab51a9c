// SPDX-License-Identifier: MIT
#pragma once

#include "analyzer/analyze/process/file_parts.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// A row for each part of a file, with the commands of the processes that map it.
Table parts_table(const FileParts& parts);

/// A row for each part and process that maps it.
Table part_users_table(const FileParts& parts);

}  // namespace physmem
