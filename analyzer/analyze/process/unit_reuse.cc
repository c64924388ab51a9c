// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/unit_reuse.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "formats/emit/flags.h"

namespace physmem {
namespace {

/// Bits of a page's history: this snapshot, the one before, the one before that.
constexpr std::uint8_t kNow = 1;
constexpr std::uint8_t kBefore = 2;
constexpr std::uint8_t kEarlier = 4;
constexpr std::uint8_t kRemembered = kNow | kBefore;

void count(std::uint8_t history, UnitReuseRow& sums) {
  const bool is_present = (history & kNow) != 0;
  const bool was_present = (history & kBefore) != 0;
  sums.lost += was_present && !is_present ? 1 : 0;
  sums.came += is_present && !was_present ? 1 : 0;
  sums.returned += is_present && !was_present && (history & kEarlier) != 0 ? 1 : 0;
}

}  // namespace

void UnitReuse::on_header(const Header& header) {
  header_ = header;
  current_ = nullptr;
}

void UnitReuse::on_area(const Process& process, const Area& area) {
  current_ = nullptr;
  if (!header_.has_pages || !has_file(area.vma)) return;
  const UnitKey key = unit_key(area.vma);
  if (area.vma.is(PM_VMA_EXEC) || area.vma.is(PM_VMA_EXECUTABLE)) executable_.insert(key);
  current_ = &units_[key];
  current_->sums.unit = area.vma.unit;
  current_->users.insert(ProcessId::of(process.task));
}

void UnitReuse::on_pages(const Process&, const Area& area, std::span<const PageRun> runs) {
  if (current_ == nullptr) return;
  const unsigned shift = header_.page_size.shift();
  for_each_page(runs, header_.page_size.bytes, [&](const PageRun& page) {
    current_->pages[(area.vma.offset + (page.va - area.vma.start)) >> shift] |= kNow;
  });
}

void UnitReuse::on_end() {
  if (!header_.has_pages) return;
  for (auto& [key, unit] : units_) end_snapshot(unit);
}

void UnitReuse::end_snapshot(Unit& unit) {
  // The first snapshot with the unit cannot be compared, nor can one in which a user has ended.
  const bool is_comparable = !unit.users_before.empty() &&
                             std::includes(unit.users.begin(), unit.users.end(),
                                           unit.users_before.begin(), unit.users_before.end());
  unit.sums.resident = 0;
  unit.pages.change_each_chunk([&](auto& pages) {
    for (std::uint8_t& history : pages) {
      if (history == 0) continue;
      if (!is_comparable) history &= kNow;
      if (is_comparable) count(history, unit.sums);
      unit.sums.resident += history & kNow;
      history = static_cast<std::uint8_t>((history & kRemembered) << 1);
    }
  });
  unit.users_before = std::exchange(unit.users, {});
}

std::vector<UnitReuseRow> UnitReuse::rows() const {
  std::vector<UnitReuseRow> rows;
  for (const auto& [key, unit] : units_)
    if (executable_.count(key) != 0 && unit.sums.lost != 0) rows.push_back(unit.sums);
  std::stable_sort(rows.begin(), rows.end(), [](const UnitReuseRow& a, const UnitReuseRow& b) {
    return std::tie(b.returned, b.lost) < std::tie(a.returned, a.lost);
  });
  return rows;
}

}  // namespace physmem
