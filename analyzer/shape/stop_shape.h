// SPDX-License-Identifier: MIT
// What becomes free if processes end.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/process/stop_estimate.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// The answer in one or two sentences.
std::vector<std::string> stop_lines(const StopEstimate& estimate, PageSize page_size);

/// A row for each kind of memory of the set.
Table stop_table(const StopEstimate& estimate, PageSize page_size);

/// Commands of other processes that map memory of the set.
Table keepers_table(const StopEstimate& estimate);

/// What the numbers do not have.
std::vector<std::string> stop_notes(const StopEstimate& estimate);

}  // namespace physmem
