// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <memory>

#include "analyzer/report/table_writer.h"

namespace physmem::bench {

/// Writes tables as in docs/performance.md: the title above, the notes as a list below.
std::unique_ptr<TableWriter> markdown_table_writer(std::ostream& out);

}  // namespace physmem::bench
