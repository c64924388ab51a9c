// SPDX-License-Identifier: MIT
// Writes columns of sizes in the unit of the answer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analyzer/report/table_writer.h"
#include "analyzer/shape/size_cells.h"

namespace physmem {

/// Where the unit is named.
enum class UnitPlace {
  kTitle,    ///< of the table: "RAM by class (MiB)"
  kColumns,  ///< "Mapped bytes", in JSON mapped_bytes; of a column Size only "Bytes", bytes
};

/// A table whose sizes are numbers of the unit.
Table in_unit(Table table, const SizeCells& sizes, UnitPlace place);

std::unique_ptr<TableWriter> sized_table_writer(std::unique_ptr<TableWriter> inner,
                                                const SizeCells& sizes, UnitPlace place);

}  // namespace physmem
