// SPDX-License-Identifier: MIT
// Sums of days and expiry in ClickHouse.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>

#include "fleet/model/report.h"
#include "fleet/sql/sql_section.h"
#include "fleet/sql/sql_text.h"
#include "fleet/store/clickhouse_answer.h"
#include "fleet/store/clickhouse_rows.h"
#include "fleet/store/clickhouse_store.h"
#include "program/signals.h"

namespace physmem::fleet {

Result<std::uint64_t> ClickhouseStore::rollup(std::uint64_t before) {
  std::set<std::uint64_t> days;
  const std::uint64_t end = std::min(before, kMaxSecond) / kDay * kDay;
  for (ClickhouseHttp& shard : shards_) {
    const auto summed = sum_days(shard, end);
    if (!summed) return summed.error();
    days.insert(summed->begin(), summed->end());
  }
  return days.size();
}

Result<std::vector<std::uint64_t>> ClickhouseStore::sum_days(ClickhouseHttp& shard,
                                                             std::uint64_t before) {
  auto found = rows(shard, "days_to_sum", {{}, {{"before", before}}});
  if (!found) return found.error();
  std::vector<std::uint64_t> days;
  for (const Row& row : *found) {
    if (interrupted()) break;
    days.push_back(number_at(row, 0));
    if (const Status status = sum_day(shard, number_at(row, 0), number_at(row, 1)); !status)
      return status.error();
  }
  return days;
}

/// A load that replaces reports removes the sums of their days. If it did so while a day was summed
/// up, the new sums may be of what was replaced, or incomplete: they are removed, and made again.
Status ClickhouseStore::sum_day(ClickhouseHttp& shard, std::uint64_t day, std::uint64_t snapshots) {
  while (true) {
    const auto removals = last_mutations(shard, {"days"});
    if (!removals) return removals.error();
    if (Status status = add_sums(shard, day, snapshots); !status) return status;
    if (Status status = mark_day(shard, day, snapshots); !status) return status;
    const auto removals_since = last_mutations(shard, {"days"});
    if (!removals_since) return removals_since.error();
    if (*removals_since == *removals) return {};
    if (Status status = remove_sums(shard, {day}); !status) return status;
  }
}

/// Later sums replace earlier ones. Clocks of several machines may differ, so a day that has more
/// snapshots wins at any time: their number is the version.
Status ClickhouseStore::add_sums(ClickhouseHttp& shard, std::uint64_t day,
                                 std::uint64_t snapshots) {
  const std::uint64_t partition = partition_of(day);
  if (Status status = run(shard, "merge_snapshots", {{}, {{"partition", partition}}}); !status)
    return status;
  SqlParameters parameters{{}, {{"day", day}, {"version", snapshots}}};
  set_span(day, day + kDay, parameters);
  return run_all(shard, sql_text("clickhouse", "rollup"), parameters);
}

/// After the sums, as the line of a snapshot is after its facts.
Status ClickhouseStore::mark_day(ClickhouseHttp& shard, std::uint64_t day,
                                 std::uint64_t snapshots) {
  const std::string line = fmt::format("{}\t{}\t{}\n", day, snapshots, snapshots);
  TextRows rows(line);
  return insert(shard, "mark_day", {}, rows);
}

Status ClickhouseStore::run_all(ClickhouseHttp& shard, std::string_view text,
                                const SqlParameters& parameters) {
  for (const std::string& statement : sql_statements(text))
    if (const Status status = repeat(shard, {filled(statement, parameters), nullptr, {}}); !status)
      return status;
  return {};
}

/// Everything is summed up before the first snapshot is removed. From the mark on, the loader
/// leaves out older snapshots.
Result<std::uint64_t> ClickhouseStore::expire(std::uint64_t before) {
  const std::uint64_t end = std::min(before, kMaxSecond) / kDay * kDay;
  if (const auto days = rollup(end); !days) return days.error();
  if (const Status status = sum_trend(end); !status) return status.error();
  if (interrupted()) return 0;
  auto found = rows(shards_[0], "old_snapshots", {{}, {{"before", end}}});
  if (!found) return found.error();
  const std::string line = std::to_string(end) + "\n";
  TextRows mark(line);
  for (ClickhouseHttp& shard : shards_)
    if (const Status status = insert(shard, "set_expired", {}, mark); !status)
      return status.error();
  for (ClickhouseHttp& shard : shards_)
    if (const Status status = drop_old(shard, end); !status) return status.error();
  return found->empty() ? 0 : number_at((*found)[0], 0);
}

/// Each shard gets the trends of all.
Status ClickhouseStore::sum_trend(std::uint64_t before) {
  const auto since = expired_before();
  if (!since) return since.error();
  auto days = rows(shards_[0], "days_of_facts", {{}, {{"since", *since}, {"before", before}}});
  if (!days) return days.error();
  for (const Row& row : *days)
    for (ClickhouseHttp& shard : shards_) {
      const std::uint64_t day = number_at(row, 0);
      SqlParameters parameters{{}, {{"day", day}}};
      set_span(day, day + kDay, parameters);
      if (const Status status = run_all(shard, sql_text("clickhouse", "rollup_trend"), parameters);
          !status)
        return status;
    }
  return {};
}

/// The highest, if only some of the shards were marked.
Result<std::uint64_t> ClickhouseStore::expired_before() {
  std::uint64_t before = 0;
  for (ClickhouseHttp& shard : shards_) {
    auto found = rows(shard, "expired_before", {});
    if (!found) return found.error();
    if (!found->empty()) before = std::max(before, number_at((*found)[0], 0));
  }
  return before;
}

/// Lines of `snapshots` go first, so that no question sees a part of a snapshot.
Status ClickhouseStore::drop_old(ClickhouseHttp& shard, std::uint64_t before) {
  std::vector<std::string> tables = names_of_fact_tables();
  tables.emplace_back("snapshots");
  auto found = rows(
      shard, "old_partitions",
      {{},
       {{"database", std::string_view(url_.database)}, {"tables", tables}, {"before", before}}});
  if (!found) return found.error();
  for (const Row& row : *found) {
    const SqlParameters parameters{
        {{"table", text_at(row, 0)}},
        {{"partition", std::strtoull(text_at(row, 1).c_str(), nullptr, 10)}}};
    if (const Status status = run(shard, "drop_partition", parameters); !status) return status;
  }
  return {};
}

}  // namespace physmem::fleet
