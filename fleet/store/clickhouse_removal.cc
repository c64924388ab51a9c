// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_removal.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fleet/model/report.h"
#include "fleet/store/clickhouse_answer.h"
#include "fleet/store/clickhouse_rows.h"
#include "program/signals.h"

namespace physmem::fleet {

Result<bool> ClickhouseRemoval::remove(const Selection& selection) {
  constexpr std::ptrdiff_t kMaxHashes = 5000;  // of a statement of 256 KiB, which servers accept
  const auto expired = connection_.expired_before();
  if (!expired) return expired.error();
  ClickhouseConnection::Shards& shards = connection_.shards();
  std::vector<std::vector<std::uint64_t>> hashes(shards.size());
  for (const std::string& machine : selection.machines.value())
    hashes[connection_.shard_of(machine)].push_back(sip_hash(machine));
  for (std::size_t i = 0; i < shards.size(); ++i)
    for (auto first = hashes[i].begin(); first != hashes[i].end();) {
      const auto end = hashes[i].end() - first > kMaxHashes ? first + kMaxHashes : hashes[i].end();
      const SqlParameters parameters{{},
                                     {{"machines", std::vector(first, end)},
                                      {"since", std::min(selection.since, kMaxSecond)},
                                      {"last", std::min(selection.before - 1, kMaxSecond)},
                                      {"expired", *expired}}};
      const Status status = interrupted() ? Status() : remove(shards[i], parameters);
      if (interrupted()) return false;
      if (!status) return status.error();
      first = end;
    }
  return true;
}

/// If this ends early, the same removal finds the machines again: by their lines of `snapshots`,
/// which go after the facts, or of `machine_days`, which are the last sums. As in
/// ClickhouseWriter::replace(), sums of these days that are made while this runs are removed, too.
Status ClickhouseRemoval::remove(ClickhouseHttp& shard, const SqlParameters& parameters) {
  const std::vector<std::string> sums[]{{"unit_days", "ram_days"}, {"machine_days"}};
  for (const std::vector<std::string>& tables : sums)
    if (Status status = connection_.mutate(shard, tables, "remove_sums_of_machines", parameters);
        !status)
      return status;
  std::set<std::uint64_t> days;
  if (Status status = remove_sums(shard, parameters, days); !status) return status;
  const std::vector<std::string> facts = names_of_fact_tables();
  if (Status status = connection_.mutate(shard, facts, "remove_machines", parameters); !status)
    return status;
  if (Status status = connection_.mutate(shard, {"snapshots"}, "remove_machines", parameters);
      !status)
    return status;
  // Those that a loader has sent in between.
  if (Status status = connection_.mutate(shard, facts, "remove_without_line", parameters); !status)
    return status;
  return remove_sums(shard, parameters, days);
}

/// Of `days`, and of those that have snapshots of the machines in facts or in sums, which are
/// added.
Status ClickhouseRemoval::remove_sums(ClickhouseHttp& shard, const SqlParameters& parameters,
                                      std::set<std::uint64_t>& days) {
  const auto found = connection_.rows(shard, "days_of_machines", parameters);
  if (!found) return found.error();
  for (const Row& row : *found) days.insert(number_at(row, 0));
  return days.empty() ? Status() : days_.remove_sums(shard, days);
}

}  // namespace physmem::fleet
