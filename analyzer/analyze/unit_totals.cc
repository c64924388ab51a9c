// SPDX-License-Identifier: MIT
#include "analyzer/analyze/unit_totals.h"

#include <algorithm>
#include <optional>

namespace physmem {
namespace {

/// Which of the paper's three kinds a region is; nothing for regions that belong to no executable unit.
std::uint64_t UnitPages::*kind(Region region) {
  switch (region) {
    case Region::kAppBss:
    case Region::kLibBss:
      return &UnitPages::bss;
    case Region::kAppData:
    case Region::kLibData:
      return &UnitPages::data;
    case Region::kAppText:
    case Region::kLibText:
      return &UnitPages::text;
    default:
      return nullptr;
  }
}

void add_pages(UnitPages& sum, Region region, std::uint64_t pages) {
  if (std::uint64_t UnitPages::*const member = kind(region); member != nullptr) sum.*member += pages;
}

void keep_largest(UnitPages& largest, const UnitPages& other) {
  largest.bss = std::max(largest.bss, other.bss);
  largest.data = std::max(largest.data, other.data);
  largest.text = std::max(largest.text, other.text);
}

}  // namespace

void UnitTotals::on_process(const Process& process) {
  std::map<UnitKey, UnitPages> mapped;
  std::optional<UnitKey> before;  // the unit that a bss follows
  for (const Area& area : process.areas) {
    const bool is_bss = kind(area.regions.file) == &UnitPages::bss;
    if (has_file(area.vma)) before = unit_key(area.vma);
    const bool is_unit = is_bss ? before.has_value() : has_file(area.vma);
    if (!is_unit || kind(area.regions.file) == nullptr) continue;
    UnitTotalsRow& row = units_[*before];
    if (row.unit.empty()) row.unit = area.marks.owner;
    add(area, row, mapped[*before]);
  }
  for (const auto& [key, pages] : mapped) {
    UnitTotalsRow& row = units_[key];
    ++row.processes;
    keep_largest(row.virtual_pages, pages);
  }
}

void UnitTotals::add(const Area& area, UnitTotalsRow& row, UnitPages& mapped) {
  add_pages(mapped, area.regions.file, area.virtual_pages);
  add_pages(row.physical, area.regions.file, area.tally.file.first_seen);
  add_pages(row.physical, area.regions.anon, area.tally.anon.first_seen);
  row.resident += area.tally.resident();
  row.unique += area.tally.single();
  row.share += area.tally.share();
  row.is_share_known = row.is_share_known && !area.tally.has_unlisted;
}

std::vector<UnitTotalsRow> UnitTotals::rows() const {
  std::vector<UnitTotalsRow> rows;
  rows.reserve(units_.size());
  for (const auto& [key, row] : units_) rows.push_back(row);
  std::stable_sort(rows.begin(), rows.end(), [](const UnitTotalsRow& a, const UnitTotalsRow& b) {
    return a.physical.total() > b.physical.total();
  });
  return rows;
}

}  // namespace physmem
