// SPDX-License-Identifier: MIT
#include "analyzer/report/table_writer.h"

#include <utility>

namespace physmem {

void TableWriter::note(std::string_view /*line*/) {}

std::size_t TableWriter::prepare(std::vector<Cell> cells) {
  prepared_.push_back(std::move(cells));
  return prepared_.size() - 1;
}

void TableWriter::prepared_rows(const Numbers& first, std::size_t prepared) {
  for (std::uint64_t i = 0; i < first.count; ++i) {
    prepared_[prepared].front() = first.begin + i * first.step;
    row(prepared_[prepared]);
  }
}

void TableWriter::drop_prepared() {
  prepared_.clear();
}

void TableWriter::write(const Table& table) {
  begin(table.head);
  for (const auto& cells : table.rows) row(cells);
  for (const std::string& line : table.notes) note(line);
  end();
}

}  // namespace physmem
