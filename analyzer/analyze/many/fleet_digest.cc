// SPDX-License-Identifier: MIT
#include "analyzer/analyze/many/fleet_digest.h"

#include <algorithm>
#include <map>
#include <utility>

namespace physmem {

void TimeSpan::add(std::optional<std::uint64_t> time_ns) {
  if (!time_ns) return;
  first_ns = std::min(first_ns.value_or(*time_ns), *time_ns);
  last_ns = std::max(last_ns.value_or(*time_ns), *time_ns);
}

void FleetDigest::add(const Header& header, const std::string& host,
                      const std::vector<UnitTotalsRow>& units, const Alerts& alerts) {
  const TimeSpan time{header.time_ns, header.time_ns};
  const MachineNumber machine = add_machine(machine_of(header, host), host, 1, time);
  // Several files may have had one path.
  std::map<std::string, UnitSum> found;
  for (const UnitTotalsRow& row : units) {
    UnitSum& sum = found[row.unit];
    sum.sized = header.has_pages ? 1 : 0;
    if (header.has_pages) sum.bytes += row.physical.total() * header.page_size.bytes;
  }
  for (const Alert& alert : alerts.rows()) ++found[alert.unit].alerts;
  for (auto& [unit, sum] : found) {
    sum.snapshots = 1;
    sum.min = sum.max = sum.bytes;
    sum.seen = time;
    add_unit(number_of(unit), machine, sum);
  }
}

FleetDigest::MachineNumber FleetDigest::add_machine(const std::string& machine,
                                                    const std::string& host,
                                                    std::uint64_t snapshots, const TimeSpan& span) {
  snapshots_ += snapshots;
  span_.add(span.first_ns);
  span_.add(span.last_ns);
  return machines_.add(machine, host, span.last_ns);
}

FleetDigest::UnitNumber FleetDigest::number_of(const std::string& unit) {
  const auto [found, is_new] = numbers_.try_emplace(unit, static_cast<UnitNumber>(units_.size()));
  if (is_new) units_.emplace_back();
  return found->second;
}

void FleetDigest::add_unit(UnitNumber number, MachineNumber machine, const UnitSum& sum) {
  Unit& unit = units_[number];
  unit.snapshots += sum.snapshots;
  unit.seen.add(sum.seen.first_ns);
  unit.seen.add(sum.seen.last_ns);
  unit.alerts += sum.alerts;
  MachineSum& of_machine = sum_of(unit, machine);
  if (sum.sized == 0) return;
  of_machine.sized += sum.sized;
  of_machine.bytes += sum.bytes;
  if (!unit.is_size_known || sum.max > unit.max ||
      (sum.max == unit.max && machines_.is_before(machine, unit.max_machine))) {
    unit.max = sum.max;
    unit.max_machine = machine;
  }
  unit.min = unit.is_size_known ? std::min(unit.min, sum.min) : sum.min;
  unit.is_size_known = true;
}

FleetDigest::MachineSum& FleetDigest::sum_of(Unit& unit, MachineNumber machine) {
  auto& machines = unit.machines;
  auto place = machines.end();
  if (!machines.empty() && machines.back().machine >= machine)
    place = std::lower_bound(
        machines.begin(), machines.end(), machine,
        [](const MachineSum& sum, MachineNumber number) { return sum.machine < number; });
  if (place == machines.end() || place->machine != machine)
    place = machines.insert(place, {machine, 0, 0});
  return *place;
}

UnitDigestRow FleetDigest::row(const std::string& name, const Unit& unit,
                               const std::vector<std::size_t>& ranks) const {
  UnitDigestRow row{name, unit.machines.size(), unit.snapshots, {}, unit.seen, unit.alerts};
  if (!unit.is_size_known) return row;
  UnitDigestRow::Sizes sizes{unit.min, 0, unit.max, machines_.host(unit.max_machine), 0, 0};
  long double all_bytes = 0;  // may be above 2^64, and is exact below
  std::uint64_t all_sized = 0;
  // In the order of identities, because a floating-point sum depends on the order.
  std::vector<MachineSum> in_order = unit.machines;
  const auto is_before = [&](const MachineSum& a, const MachineSum& b) {
    return ranks[a.machine] < ranks[b.machine];
  };
  if (!std::is_sorted(in_order.begin(), in_order.end(), is_before))
    std::sort(in_order.begin(), in_order.end(), is_before);
  for (const MachineSum& sum : in_order) {
    if (sum.sized == 0) continue;
    sizes.fleet += static_cast<double>(sum.bytes) / static_cast<double>(sum.sized);
    ++sizes.hosts;
    all_sized += sum.sized;
    all_bytes += static_cast<long double>(sum.bytes);
  }
  sizes.mean = static_cast<double>(all_bytes) / static_cast<double>(all_sized);
  row.sizes = std::move(sizes);
  return row;
}

std::vector<UnitDigestRow> FleetDigest::rows() const {
  std::vector<UnitDigestRow> rows;
  rows.reserve(units_.size());
  const std::vector<std::size_t> order = machines_.ranks();
  for (const auto& [name, number] : numbers_) rows.push_back(row(name, units_[number], order));
  const auto cost = [](const UnitDigestRow& row) { return row.sizes ? row.sizes->fleet : -1; };
  std::sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
    return cost(a) != cost(b) ? cost(a) > cost(b) : a.unit < b.unit;
  });
  return rows;
}

}  // namespace physmem
