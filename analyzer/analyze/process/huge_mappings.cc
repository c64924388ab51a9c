// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/huge_mappings.h"

#include <functional>
#include <utility>

#include "formats/emit/flags.h"

namespace physmem {
void HugeMappings::begin(const Header& header) {
  const bool is_known = header.has_pages && header.stable_flags && !header.pfn_hidden;
  page_bytes_ = header.page_size.bytes;
  huge_pages_ = is_known ? std::uint64_t{1} << header.huge_page_order() : 0;
  phys_mask_ = header.phys_mask;
  found_ = 0;
}

bool HugeMappings::begins_folio(const PageRun& run) const {
  constexpr std::uint64_t kKind = PM_PAGE_THP | PM_PAGE_COMPOUND_HEAD | PM_PAGE_ZERO_PAGE;
  const std::uint64_t in_huge_page = huge_pages_ * page_bytes_ - 1;
  return (run.flags & kKind) == (PM_PAGE_THP | PM_PAGE_COMPOUND_HEAD) &&
         (run.va & in_huge_page) == 0 && (run.value & phys_mask_ & in_huge_page) == 0;
}

HugeUse HugeMappings::add(std::span<const PageRun> runs) {
  HugeUse use;
  if (!is_known()) return use;
  for (const PageRun& run : runs) {
    const bool goes_on = found_ != 0 && (run.flags & PM_PAGE_COMPOUND_TAIL) != 0 &&
                         last_.end_va(page_bytes_) == run.va &&
                         last_.end_value(page_bytes_) == run.value;
    found_ = goes_on ? found_ + run.pages : begins_folio(run) ? run.pages : 0;
    last_ = run;
    if (found_ < huge_pages_) continue;
    ((run.flags & PM_PAGE_ANON) != 0 ? use.anon : use.file) += huge_pages_;
    found_ = 0;
  }
  return use;
}

void ProcessHugePages::on_header(const Header& header) {
  mappings_.begin(header);
  huge_ = {};
  rows_.clear();
}

void ProcessHugePages::on_process(const Process& process) {
  Row row{process.task.comm, process.pid(), 0, std::exchange(huge_, {})};
  for (const Area& area : process.areas) row.anonymous += area.tally.anon.pages;
  if (row.anonymous != 0 || row.huge.pages() != 0) rows_.push_back(std::move(row));
}

std::vector<ProcessHugePages::Row> ProcessHugePages::rows() const {
  std::vector<Row> rows = rows_;
  std::ranges::stable_sort(rows, std::greater<>(), [](const Row& row) { return row.small(); });
  return rows;
}

}  // namespace physmem
