// SPDX-License-Identifier: MIT
// All that is known of one process, as the first lines and the columns of its page.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/process/memory_uses.h"
#include "analyzer/shape/use_shape.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// Who it is, and its sizes. `uses`: with its pages by flags.
std::vector<std::string> process_page_lines(const MemoryUseRow& row, const MemoryUses& uses,
                                            const UseView& use_view, const View& view);

/// Columns of the table of processes, or of that of files.
std::vector<UseColumn> process_page_columns(UseGrouping grouping);
/// The same for people: without sizes that are 0.
std::vector<UseColumn> process_page_columns(UseGrouping grouping, const MemoryUse& use);

}  // namespace physmem
