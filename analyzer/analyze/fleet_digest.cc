// SPDX-License-Identifier: MIT
#include "analyzer/analyze/fleet_digest.h"

#include <algorithm>

namespace physmem {

void TimeSpan::add(std::optional<std::uint64_t> time_ns) {
  if (!time_ns) return;
  first_ns = std::min(first_ns.value_or(*time_ns), *time_ns);
  last_ns = std::max(last_ns.value_or(*time_ns), *time_ns);
}

void FleetDigest::add(const Header& header, const std::string& host,
                      const std::vector<UnitTotalsRow>& units, const Alerts& alerts) {
  ++snapshots_;
  span_.add(header.time_ns);
  const auto [known, is_new] = hosts_.try_emplace(host, static_cast<HostNumber>(names_.size()));
  if (is_new) names_.push_back(host);
  std::map<std::string, InSnapshot> found;
  for (const UnitTotalsRow& row : units) {
    InSnapshot& one = found[row.unit];
    one.has_pages = true;
    one.bytes += row.physical.total() * header.page_size.bytes;
  }
  for (const Alert& alert : alerts.rows()) ++found[alert.unit].alerts;
  for (const auto& [unit, one] : found) add(units_[unit], one, header, known->second);
}

void FleetDigest::add(Unit& unit, const InSnapshot& found, const Header& header, HostNumber host) {
  ++unit.snapshots;
  unit.seen.add(header.time_ns);
  unit.alerts += found.alerts;
  HostSum& sum = unit.hosts[host];
  if (!found.has_pages || !header.has_pages) return;
  if (!unit.is_size_known || found.bytes > unit.max) {
    unit.max = found.bytes;
    unit.max_host = host;
  }
  unit.min = unit.is_size_known ? std::min(unit.min, found.bytes) : found.bytes;
  unit.is_size_known = true;
  ++sum.snapshots;
  sum.bytes += found.bytes;
}

UnitDigestRow FleetDigest::row(const std::string& name, const Unit& unit) const {
  UnitDigestRow row{name, unit.hosts.size(), unit.snapshots, {}, unit.seen, unit.alerts};
  if (!unit.is_size_known) return row;
  UnitDigestRow::Sizes sizes{unit.min, 0, unit.max, names_[unit.max_host], 0};
  HostSum all;
  // Ordered by number, because a floating-point sum depends on the order.
  const std::map<HostNumber, HostSum> in_order(unit.hosts.begin(), unit.hosts.end());
  for (const auto& [host, sum] : in_order) {
    if (sum.snapshots == 0) continue;
    sizes.fleet += static_cast<double>(sum.bytes) / static_cast<double>(sum.snapshots);
    all.snapshots += sum.snapshots;
    all.bytes += sum.bytes;
  }
  sizes.mean = static_cast<double>(all.bytes) / static_cast<double>(all.snapshots);
  row.sizes = std::move(sizes);
  return row;
}

std::vector<UnitDigestRow> FleetDigest::rows() const {
  std::vector<UnitDigestRow> rows;
  rows.reserve(units_.size());
  for (const auto& [name, unit] : units_) rows.push_back(row(name, unit));
  const auto cost = [](const UnitDigestRow& row) { return row.sizes ? row.sizes->fleet : -1; };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const auto& a, const auto& b) { return cost(a) > cost(b); });
  return rows;
}

}  // namespace physmem
