// SPDX-License-Identifier: MIT
#include "analyzer/analyze/many/fleet_machines.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace physmem {

std::string machine_of(const Header& header, const std::string& host) {
  return header.machine_id.empty() ? "name:" + host : header.machine_id;
}

FleetMachines::Number FleetMachines::add(const std::string& id, const std::string& host,
                                         std::optional<std::uint64_t> time_ns) {
  const auto [known, is_new] = numbers_.try_emplace(id, static_cast<Number>(machines_.size()));
  if (is_new) machines_.push_back({id, host, time_ns});
  Machine& machine = machines_[known->second];
  if (std::pair(time_ns, host) > std::pair(machine.last_ns, machine.host)) {
    machine.host = host;
    machine.last_ns = time_ns;
  }
  return known->second;
}

std::vector<std::size_t> FleetMachines::ranks() const {
  std::vector<Number> order(machines_.size());
  std::iota(order.begin(), order.end(), Number{0});
  std::sort(order.begin(), order.end(), [this](Number a, Number b) { return is_before(a, b); });
  std::vector<std::size_t> ranks(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = i;
  return ranks;
}

}  // namespace physmem
