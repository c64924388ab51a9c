// SPDX-License-Identifier: MIT
// Removal of what chosen machines have reported from ClickHouse.
//
// A run of `remove` notes in table `removed` which snapshots it removes, then marks that the notes
// are complete, and drops them when nothing is left. Until then any program can finish the run:
// `remove` and `expire` do if it is marked, and `load` if it sends a snapshot that is noted. Every
// step is idempotent; a run that is still alive finds nothing left to delete. Another program drops
// the notes only after all that they name was removed.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fleet/model/report.h"
#include "fleet/store/clickhouse_answer.h"
#include "fleet/store/clickhouse_store.h"
#include "program/signals.h"

namespace physmem::fleet {
namespace {

std::uint64_t nanoseconds_now() {
  return static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count());
}

/// Lines of `snapshots` first: without them, no facts count.
std::vector<std::string> tables_of_snapshots() {
  std::vector<std::string> tables{"snapshots"};
  for (const FactColumns& columns : fact_tables()) tables.emplace_back(columns.name);
  return tables;
}

}  // namespace

Result<RemovalEnd> ClickhouseStore::remove(const Selection& selection) {
  std::uint64_t run = nanoseconds_now();
  constexpr std::ptrdiff_t kMaxHashes = 5000;  // of a statement of 256 KiB, which servers accept
  const auto expired = expired_before();
  if (!expired) return expired.error();
  std::vector<std::vector<std::uint64_t>> hashes(shards_.size());
  for (const std::string& machine : selection.machines.value())
    hashes[sip_hash(machine) % shards_.size()].push_back(sip_hash(machine));
  std::vector<ShardRemoval> removals;
  for (std::size_t i = 0; i < shards_.size(); ++i)
    for (auto first = hashes[i].begin(); first != hashes[i].end();) {
      const auto end = hashes[i].end() - first > kMaxHashes ? first + kMaxHashes : hashes[i].end();
      removals.push_back({shards_[i],
                          {{},
                           {{"machines", std::vector(first, end)},
                            {"since", std::min(selection.since, kMaxSecond)},
                            {"last", std::min(selection.before - 1, kMaxSecond)},
                            {"expired", *expired},
                            {"run", run++}}}});
      first = end;
    }
  for (ShardRemoval& removal : removals) {
    const bool is_last = &removal == &removals.back();
    if (interrupted()) return RemovalEnd::kInterrupted;
    const Status status = remove(removal);
    if (!status && !interrupted()) return status.error();
    if (!status)
      return is_last && removal.has_removed_lines ? RemovalEnd::kRemainsLeft
             : removal.is_marked                  ? RemovalEnd::kBegun
                                                  : RemovalEnd::kInterrupted;
  }
  return RemovalEnd::kDone;
}

/// Sums of days without facts go first: if this is interrupted, the same removal finds the machine
/// by the facts that are left, or by its lines of `machine_days`, which are the last sums.
Status ClickhouseStore::remove(ShardRemoval& removal) {
  const std::vector<std::string> sums[]{{"unit_days", "ram_days"}, {"machine_days"}};
  for (const std::vector<std::string>& tables : sums)
    if (Status status =
            mutate(removal.shard, tables, "remove_sums_of_machines", removal.parameters);
        !status)
      return status;
  const auto found = rows(removal.shard, "days_of_machines", removal.parameters);
  if (!found) return found.error();
  std::set<std::uint64_t> days;
  for (const Row& row : *found) days.insert(number_at(row, 0));
  if (Status status = note_removed(removal); !status) return status;
  if (Status status = remove_noted(removal, days); !status) return status;
  return drop_run(removal.shard, removal.parameters.values.at("run"));
}

/// What is stored now is noted, because a loader may have sent the facts of another snapshot, but
/// not its line yet.
Status ClickhouseStore::note_removed(ShardRemoval& removal) {
  if (Status status = run(removal.shard, "note_removed", removal.parameters); !status)
    return status;
  removal.is_marked = true;  // also if the answer does not arrive
  return run(removal.shard, "mark_noted", removal.parameters);
}

/// All removals are sent before the first one ends, lines of `snapshots` first: from then on, no
/// facts count. As in replace(), sums of these days that are made while this runs are removed, too.
Status ClickhouseStore::remove_noted(ShardRemoval& removal, const std::set<std::uint64_t>& days) {
  ClickhouseHttp& shard = removal.shard;
  const std::vector<std::string> tables = tables_of_snapshots();
  if (!days.empty())
    if (Status status = remove_sums(shard, days); !status) return status;
  if (Status status = send_mutations(shard, tables, "remove_noted", removal.parameters); !status)
    return status;
  if (Status status = wait_for_mutations(shard, {tables.front()}); !status) return status;
  removal.has_removed_lines = true;
  if (Status status = wait_for_mutations(shard, tables); !status) return status;
  return days.empty() ? Status() : remove_sums(shard, days);
}

Status ClickhouseStore::finish_removals() {
  std::uint64_t snapshots = 0;
  for (ClickhouseHttp& shard : shards_) {
    const auto found = runs(shard, "marked_runs", {});
    if (!found) return found.error();
    const auto finished = finish_removals(shard, *found);
    if (!finished) return finished.error();
    snapshots += *finished;
    if (Status status = drop_unmarked_runs(shard); !status) return status;
  }
  report_finished(snapshots);
  return {};
}

/// Those that have noted one of the places, also if they are not marked yet. Whether there was one.
Result<bool> ClickhouseStore::finish_removals_of(const SqlParameters& places) {
  std::uint64_t snapshots = 0;
  bool has_finished = false;
  for (ClickhouseHttp& shard : shards_) {
    auto found = runs(shard, "runs", {});
    if (!found) return found.error();
    if (found->empty()) continue;
    SqlParameters parameters = places;
    parameters.values.emplace("runs", *found);
    found = runs(shard, "runs_of_places", parameters);
    if (!found) return found.error();
    const auto finished = finish_removals(shard, *found);
    if (!finished) return finished.error();
    snapshots += *finished;
    has_finished = has_finished || !found->empty();
  }
  report_finished(snapshots);
  return has_finished;
}

Result<std::vector<std::uint64_t>> ClickhouseStore::runs(ClickhouseHttp& shard,
                                                         std::string_view section,
                                                         const SqlParameters& parameters) {
  const auto found = rows(shard, section, parameters);
  if (!found) return found.error();
  std::vector<std::uint64_t> runs;
  for (const Row& row : *found) runs.push_back(number_at(row, 0));
  return runs;
}

/// The number of snapshots.
Result<std::uint64_t> ClickhouseStore::finish_removals(ClickhouseHttp& shard,
                                                       const std::vector<std::uint64_t>& runs) {
  if (runs.empty()) return 0;
  const auto expired = expired_before();
  if (!expired) return expired.error();
  std::uint64_t snapshots = 0;
  for (const std::uint64_t run : runs) {
    const auto finished = finish_removal(shard, run, *expired);
    if (!finished) return finished.error();
    snapshots += *finished;
  }
  return snapshots;
}

Result<std::uint64_t> ClickhouseStore::finish_removal(ClickhouseHttp& shard, std::uint64_t run,
                                                      std::uint64_t expired) {
  const auto found = rows(shard, "noted_days", {{}, {{"run", run}}});
  if (!found) return found.error();
  std::uint64_t snapshots = 0;
  std::set<std::uint64_t> days;
  for (const Row& row : *found) {
    days.insert(number_at(row, 0));
    snapshots += number_at(row, 1);
  }
  if (!days.empty()) {
    ShardRemoval removal{shard,
                         {{},
                          {{"run", run},
                           {"since", *days.begin()},
                           {"last", std::min(*days.rbegin() + kDay - 1, kMaxSecond)}}}};
    days.erase(days.begin(), days.lower_bound(expired));  // sums that cannot be made again
    if (Status status = remove_noted(removal, days); !status) return status.error();
  }
  if (Status status = drop_run(shard, run); !status) return status.error();
  return snapshots;
}

Status ClickhouseStore::drop_run(ClickhouseHttp& shard, const SqlLiteral& run) {
  return this->run(shard, "drop_partition", {{{"table", "removed"}}, {{"partition", run}}});
}

/// Those of yesterday or before: what is younger may be about to be marked. They have removed
/// no snapshot.
Status ClickhouseStore::drop_unmarked_runs(ClickhouseHttp& shard) {
  const std::uint64_t before = nanoseconds_now() - kDay * 1'000'000'000;
  const auto found = runs(shard, "unmarked_runs", {{}, {{"before", before}}});
  if (!found) return found.error();
  for (const std::uint64_t run : *found)
    if (Status status = drop_run(shard, run); !status) return status;
  return {};
}

void ClickhouseStore::report_finished(std::uint64_t snapshots) {
  if (snapshots != 0)
    give_notice(fmt::format("completed an earlier removal of {} snapshot{}", snapshots,
                            snapshots == 1 ? "" : "s"));
}

}  // namespace physmem::fleet
