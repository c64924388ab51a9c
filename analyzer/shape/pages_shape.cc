// SPDX-License-Identifier: MIT
#include "analyzer/shape/pages_shape.h"

#include <fmt/format.h>

namespace physmem {

using Kind = Column::Kind;

TableHead page_dump_head() {
  return {"pages",
          "",
          {{"Address", Kind::kHex},
           {"PTE Flag", Kind::kHex},
           {"VMA Flag", Kind::kHex},
           {"VMA Sym", Kind::kText},
           {"Page Flags", Kind::kHex},
           {"Count"},
           {"Owner", Kind::kText}},
          " | "};
}

std::vector<Cell> page_dump_cells(const PageRow& row, const View& view) {
  return {row.address,
          row.pte_flags,
          row.vma_flags,
          flag_symbols(row.vma_flags),
          row.page_flags,
          row.count,
          unit_name(row.owner, view.header)};
}

std::string page_count_text(const PageCount& count) {
  if (!count.is_known()) return "User space pages: unknown (the snapshot lists no pages)";
  return fmt::format("User space pages: {}", count.pages());
}

Table page_count_table(const PageCount& count, const View& view) {
  Table table{{"count", "Physical pages used by user space", {{"User space pages"}, {"Page size B"}}}, {}};
  table.rows.push_back({count.is_known() ? Cell(count.pages()) : Cell(), view.header.page_size.bytes});
  return table;
}

}  // namespace physmem
