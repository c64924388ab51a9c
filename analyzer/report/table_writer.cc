// SPDX-License-Identifier: MIT
#include "analyzer/report/table_writer.h"

namespace physmem {

void TableWriter::note(std::string_view /*line*/) {}

void TableWriter::write(const Table& table) {
  begin(table.head);
  for (const auto& cells : table.rows) row(cells);
  for (const std::string& line : table.notes) note(line);
  end();
}

}  // namespace physmem
