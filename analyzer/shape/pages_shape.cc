// SPDX-License-Identifier: MIT
#include "analyzer/shape/pages_shape.h"

#include <fmt/format.h>

namespace physmem {
namespace {

using Kind = Column::Kind;

}  // namespace

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
          " | ",
          false,
          {"PTE Flag", "VMA Flag", "Page Flags"}};
}

std::vector<Cell> page_dump_cells(const PageKind& kind, const View& view) {
  return {Cell(),
          kind.pte_flags,
          kind.vma_flags,
          flag_symbols(kind.vma_flags),
          kind.page_flags,
          kind.count,
          unit_name(kind.owner, view)};
}

std::string page_count_text(const PageCount& count) {
  return count.is_known() ? fmt::format("{}", count.pages())
                          : "unknown (the snapshot lists no pages)";
}

Table page_count_table(const PageCount& count, const View& view) {
  Table table{
      {"count", "Physical pages used by user space", {{"User space pages"}, {"Page size B"}}}, {}};
  table.rows.push_back(
      {count.is_known() ? Cell(count.pages()) : Cell(), view.header.page_size.bytes});
  return table;
}

}  // namespace physmem
