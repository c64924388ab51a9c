// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "analyzer/analyze/process/page_count.h"
#include "analyzer/analyze/process/page_dump.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// Figure 9.
TableHead page_dump_head();
/// A row whose address is not known yet.
std::vector<Cell> page_dump_cells(const PageKind& kind, const View& view);

/// "4711", as in figure 8, and the same as a table of one row.
std::string page_count_text(const PageCount& count);
Table page_count_table(const PageCount& count, const View& view);

}  // namespace physmem
