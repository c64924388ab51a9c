// SPDX-License-Identifier: MIT
#include "fleet/store/unit_sizes.h"

#include <algorithm>

#include "fleet/store/checked_sums.h"

namespace physmem::fleet {

void UnitSizes::begin(std::uint64_t first) {
  units_.clear();
  sizes_ = 0;
  limit_ = max_sizes_;
  first_ = first;
  end_ = kNoEnd;
}

void UnitSizes::add(std::uint64_t id, std::size_t number, std::uint64_t machine,
                    std::uint64_t size) {
  if (id < first_ || id >= end_) return;
  if (number >= units_.size()) units_.resize(number + 1);
  Unit& unit = units_[number];
  unit.id = id;
  if (unit.machine != machine) {
    unit.machine = machine;
    ++unit.machines;
  }
  if (!unit.sizes.empty() && unit.sizes.back().bytes == size) {
    ++unit.sizes.back().snapshots;
    return;
  }
  unit.sizes.push_back({size, 1});
  if (++sizes_ > limit_) make_room();
}

std::optional<std::uint64_t> UnitSizes::next() const {
  return end_ == kNoEnd ? std::nullopt : std::optional(end_);
}

/// By size, each one once.
void UnitSizes::merge(std::vector<Size>& sizes) {
  std::sort(sizes.begin(), sizes.end(),
            [](const Size& a, const Size& b) { return a.bytes < b.bytes; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    if (sizes[i].bytes == sizes[last].bytes)
      sizes[last].snapshots += sizes[i].snapshots;
    else
      sizes[++last] = sizes[i];
  }
  if (!sizes.empty())
    sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(last) + 1, sizes.end());
}

std::vector<UnitSizes::Unit*> UnitSizes::by_id() {
  std::vector<Unit*> units;
  for (Unit& unit : units_)
    if (!unit.sizes.empty()) units.push_back(&unit);
  std::sort(units.begin(), units.end(), [](const Unit* a, const Unit* b) { return a->id < b->id; });
  return units;
}

/// So that half of the room is free, if there is more than one unit.
void UnitSizes::make_room() {
  std::vector<Unit*> units = by_id();
  sizes_ = 0;
  for (Unit* const unit : units) {
    merge(unit->sizes);
    sizes_ += unit->sizes.size();
  }
  for (; sizes_ > max_sizes_ / 2 && units.size() > 1; units.pop_back()) {
    Unit& last = *units.back();
    sizes_ -= last.sizes.size();
    end_ = last.id;
    last = {};
  }
  limit_ = std::max(max_sizes_, 2 * sizes_);
}

Result<UnitSizes::Totals> UnitSizes::total_of(const Unit& unit) {
  Totals totals{.id = unit.id, .machines = unit.machines};
  for (const Size& size : unit.sizes) {
    totals.snapshots += size.snapshots;
    if (size.bytes > (kMaxNumber - totals.bytes) / size.snapshots) return too_large_sum();
    totals.bytes += size.bytes * size.snapshots;
  }
  const auto percentile = [&](std::uint64_t percent) {
    std::uint64_t left = (totals.snapshots * percent + 99) / 100;
    for (const Size& size : unit.sizes) {
      if (left <= size.snapshots) return size.bytes;
      left -= size.snapshots;
    }
    return unit.sizes.back().bytes;
  };
  totals.min = unit.sizes.front().bytes;
  totals.p50 = percentile(50);
  totals.p99 = percentile(99);
  totals.max = unit.sizes.back().bytes;
  return totals;
}

Result<std::vector<UnitSizes::Totals>> UnitSizes::totals() {
  std::vector<Totals> found;
  for (Unit* const unit : by_id()) {
    merge(unit->sizes);
    const auto totals = total_of(*unit);
    if (!totals) return totals.error();
    found.push_back(*totals);
  }
  return found;
}

}  // namespace physmem::fleet
