// SPDX-License-Identifier: MIT
// Shared memory as objects.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/process/shared_objects.h"
#include "analyzer/shape/shapes.h"

namespace physmem {

/// "86 MiB of shared memory: 12 MiB are mapped, …".
std::vector<std::string> shared_lines(const SharedObjects& shared);

/// A row for each object.
Table shared_table(const SharedObjects& shared, bool is_text);

/// A row for each process that maps an object, and for each descriptor of one.
Table shared_users_table(const SharedObjects& shared);

/// What the numbers do not have.
std::vector<std::string> shared_notes(const SharedObjects& shared);

}  // namespace physmem
