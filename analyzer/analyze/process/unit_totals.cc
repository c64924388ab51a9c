// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/unit_totals.h"

#include <algorithm>
#include <utility>

namespace physmem {
namespace {

/// The paper's kind of a region; nullptr for regions that do not belong to executable units.
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
  if (std::uint64_t UnitPages::*const member = kind(region); member != nullptr)
    sum.*member += pages;
}

void keep_largest(UnitPages& largest, const UnitPages& other) {
  largest.bss = std::max(largest.bss, other.bss);
  largest.data = std::max(largest.data, other.data);
  largest.text = std::max(largest.text, other.text);
}

}  // namespace

void UnitTotals::on_process(const Process& process) {
  ++processes_;
  mapped_.clear();
  const Vma* file = nullptr;  // the file mapped last, to whose unit a bss belongs
  Unit* unit = nullptr;       // of the file, if it was looked up
  for (const Area& area : process.areas) {
    const bool is_file = has_file(area.vma);
    if (is_file && (file == nullptr || !is_same_unit(*file, area.vma))) unit = nullptr;
    if (is_file) file = &area.vma;
    const auto part = kind(area.regions.file);
    if (part == nullptr || file == nullptr || !(is_file || part == &UnitPages::bss)) continue;
    if (unit == nullptr) unit = &unit_of(*file);
    add(area, *unit);
  }
  for (Unit* const unit_of_process : mapped_) {
    keep_largest(unit_of_process->row.virtual_pages, unit_of_process->mapped);
    keep_largest(unit_of_process->row.in_one_process, unit_of_process->held);
  }
}

UnitTotals::Unit& UnitTotals::unit_of(const Vma& file) {
  const UnitKey key = unit_key(file);
  Unit& unit = units_[key];
  if (std::exchange(unit.process, processes_) == processes_) return unit;
  unit.row.key = key;
  ++unit.row.processes;
  unit.mapped = {};
  unit.held = {};
  mapped_.push_back(&unit);
  return unit;
}

void UnitTotals::add(const Area& area, Unit& unit) {
  UnitTotalsRow& row = unit.row;
  if (row.unit.empty()) row.unit = area.marks.file;
  add_pages(unit.mapped, area.regions.file, area.virtual_pages);
  add_pages(unit.held, area.regions.file, area.tally.resident());
  add_pages(row.physical, area.regions.file, area.tally.file.first_seen);
  add_pages(row.physical, area.regions.anon, area.tally.anon.first_seen);
  row.resident += area.tally.resident();
  row.unique += area.tally.unique();
  row.share += area.tally.share();
  row.is_share_known = row.is_share_known && !area.tally.has_unlisted;
}

std::vector<UnitTotalsRow> UnitTotals::rows() const {
  std::vector<UnitTotalsRow> rows;
  rows.reserve(units_.size());
  for (const auto& [key, unit] : units_) rows.push_back(unit.row);
  std::sort(rows.begin(), rows.end(), [](const UnitTotalsRow& a, const UnitTotalsRow& b) {
    const std::uint64_t total_a = a.physical.total();
    const std::uint64_t total_b = b.physical.total();
    return total_a != total_b ? total_a > total_b : a.key < b.key;
  });
  return rows;
}

}  // namespace physmem
