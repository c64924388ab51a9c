// SPDX-License-Identifier: MIT
#include "analyzer/report/table_writer.h"

#include <utility>

namespace physmem {

void TableWriter::note(std::string_view /*line*/) {}

std::size_t TableWriter::prepare(std::vector<Cell> cells) {
  prepared_.push_back(std::move(cells));
  return prepared_.size() - 1;
}

void TableWriter::prepared_row(std::uint64_t first, std::size_t prepared) {
  prepared_[prepared].front() = first;
  row(prepared_[prepared]);
}

void TableWriter::forget_prepared() {
  prepared_.clear();
}

void TableWriter::write(const Table& table) {
  begin(table.head);
  for (const auto& cells : table.rows) row(cells);
  for (const std::string& line : table.notes) note(line);
  end();
}

}  // namespace physmem
