// SPDX-License-Identifier: MIT
// The kernel's own memory as a line, tables and bars.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/analyze/ram/kernel_use.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// "38113 pages (148.9 MiB), 21.28 % of RAM: …", or why they are not known.
std::string kernel_line(const KernelUse& kernel, const View& view);

/// By use, the largest first, and their sum.
Table kernel_table(const KernelUse& kernel);

/// Tables of owners: stacks by task, page tables by process, vmalloc by function, modules, other
/// owners, and runs of unknown frames. What follows the first `max_rows` rows of a table is one
/// row.
std::vector<Table> kernel_owner_tables(const KernelUse& kernel, const View& view,
                                       std::size_t max_rows);

/// One bar per use.
BarChart kernel_chart(const KernelUse& kernel, const View& view);

}  // namespace physmem
