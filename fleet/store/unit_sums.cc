// SPDX-License-Identifier: MIT
#include "fleet/store/unit_sums.h"

namespace physmem::fleet {

const UnitSums::Sums& UnitSums::add(const SqliteArguments& fact) {
  Sums& sums = sums_of(fact.number(0));
  ++sums.snapshots;
  sums.times.add(fact.number(2));
  checked_.add(sums.alerts, fact.number(3));
  if (fact.is_null(1)) return sums;
  const std::uint64_t size = fact.number(1);
  ++sums.sized;
  checked_.add(sums.bytes, size);
  sums.sizes.add(size);
  return sums;
}

void UnitSums::add_sum(const SqliteArguments& sum) {
  Sums& sums = sums_of(sum.number(0));
  sums.snapshots += sum.number(1);
  sums.times.add(sum.number(6));
  sums.times.add(sum.number(7));
  checked_.add(sums.alerts, sum.number(8));
  if (sum.is_null(4)) return;
  sums.sized += sum.number(2);
  checked_.add(sums.bytes, sum.number(3));
  sums.sizes.add(sum.number(4));
  sums.sizes.add(sum.number(5));
}

void UnitSums::end_machine() {
  sums_.clear();
  next_ = 0;
  ++machine_;
}

std::size_t UnitSums::place_of(std::uint64_t id) {
  Unit& unit =
      units_.try_emplace(id, Unit{static_cast<std::uint32_t>(units_.size())}).first->second;
  if (unit.machine != machine_) {
    unit.machine = machine_;
    unit.place = static_cast<std::uint32_t>(sums_.size());
    sums_.push_back({.id = id, .unit = unit.number});
  }
  return unit.place;
}

}  // namespace physmem::fleet
