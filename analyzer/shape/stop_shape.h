// SPDX-License-Identifier: MIT
// What becomes free if processes end.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/process/stop_choice.h"
#include "analyzer/analyze/process/stop_estimate.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/use_shape.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// The answer in one or two sentences.
std::vector<std::string> stop_lines(const StopSet& set, PageSize page_size);

/// A row for each kind of memory of the set.
Table stop_table(const StopSet& set);

/// Commands of other processes that map memory of the set.
Table keepers_table(const StopSet& set);

/// The answer in one sentence: what is chosen stands first in sets_table(). `need`: as it was
/// typed.
std::string choice_line(const StopChoice& choice, const std::string& need, bool is_enough,
                        PageSize page_size);

/// A row for each set: the chosen ones in their order, then those that free most. `choice` may be
/// null.
Table sets_table(const StopEstimate& estimate, const StopChoice* choice, const UseView& use);

/// What the numbers do not have.
std::vector<std::string> stop_notes(const StopEstimate& estimate);

}  // namespace physmem
