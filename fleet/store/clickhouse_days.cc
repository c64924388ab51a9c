// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_days.h"

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
#include "program/signals.h"

namespace physmem::fleet {

Result<std::uint64_t> ClickhouseDays::rollup(std::uint64_t before) {
  std::set<std::uint64_t> days;
  const std::uint64_t end = std::min(before, kMaxSecond) / kDay * kDay;
  for (ClickhouseHttp& shard : connection_.shards()) {
    const auto summed = sum_days(shard, end);
    if (!summed) return summed.error();
    days.insert(summed->begin(), summed->end());
  }
  return days.size();
}

Result<std::vector<std::uint64_t>> ClickhouseDays::sum_days(ClickhouseHttp& shard,
                                                            std::uint64_t before) {
  auto found = connection_.rows(shard, "days_to_sum", {{}, {{"before", before}}});
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
Status ClickhouseDays::sum_day(ClickhouseHttp& shard, std::uint64_t day, std::uint64_t snapshots) {
  while (true) {
    const auto removals = connection_.last_mutations(shard, {"days"});
    if (!removals) return removals.error();
    if (Status status = add_sums(shard, day, snapshots); !status) return status;
    if (Status status = mark_day(shard, day, snapshots); !status) return status;
    const auto removals_since = connection_.last_mutations(shard, {"days"});
    if (!removals_since) return removals_since.error();
    if (*removals_since == *removals) return {};
    if (Status status = remove_sums(shard, {day}); !status) return status;
  }
}

/// Later sums replace earlier ones. Clocks of several machines may differ, so a day that has more
/// snapshots wins at any time: their number is the version.
Status ClickhouseDays::add_sums(ClickhouseHttp& shard, std::uint64_t day, std::uint64_t snapshots) {
  const std::uint64_t partition = partition_of(day);
  if (Status status = connection_.run(shard, "merge_snapshots", {{}, {{"partition", partition}}});
      !status)
    return status;
  SqlParameters parameters{{}, {{"day", day}, {"version", snapshots}}};
  connection_.set_span(day, day + kDay, parameters);
  return connection_.run_all(shard, sql_text("clickhouse", "rollup"), parameters);
}

/// After the sums, as the line of a snapshot is after its facts.
Status ClickhouseDays::mark_day(ClickhouseHttp& shard, std::uint64_t day, std::uint64_t snapshots) {
  const std::string line = fmt::format("{}\t{}\t{}\n", day, snapshots, snapshots);
  TextRows rows(line);
  return connection_.insert(shard, "mark_day", {}, rows);
}

/// Everything is summed up before the first snapshot is removed. From the mark on, the loader
/// leaves out older snapshots.
Result<std::uint64_t> ClickhouseDays::expire(std::uint64_t before) {
  const std::uint64_t end = std::min(before, kMaxSecond) / kDay * kDay;
  if (const auto days = rollup(end); !days) return days.error();
  if (const Status status = sum_trend(end); !status) return status.error();
  if (interrupted()) return 0;
  const auto removed =
      connection_.number(connection_.shards()[0], "old_snapshots", {{}, {{"before", end}}});
  if (!removed) return removed.error();
  const std::string line = std::to_string(end) + "\n";
  TextRows mark(line);
  for (ClickhouseHttp& shard : connection_.shards())
    if (const Status status = connection_.insert(shard, "set_expired", {}, mark); !status)
      return status.error();
  for (ClickhouseHttp& shard : connection_.shards())
    if (const Status status = drop_old(shard, end); !status) return status.error();
  return *removed;
}

/// Each shard gets the trends of all.
Status ClickhouseDays::sum_trend(std::uint64_t before) {
  const auto since = connection_.expired_before();
  if (!since) return since.error();
  auto days = connection_.rows(connection_.shards()[0], "days_of_facts",
                               {{}, {{"since", *since}, {"before", before}}});
  if (!days) return days.error();
  for (const Row& row : *days)
    for (ClickhouseHttp& shard : connection_.shards()) {
      const std::uint64_t day = number_at(row, 0);
      SqlParameters parameters{{}, {{"day", day}}};
      connection_.set_span(day, day + kDay, parameters);
      if (Status status =
              connection_.run_all(shard, sql_text("clickhouse", "rollup_trend"), parameters);
          !status)
        return status;
    }
  return {};
}

/// Lines of `snapshots` go first, so that no question sees a part of a snapshot.
Status ClickhouseDays::drop_old(ClickhouseHttp& shard, std::uint64_t before) {
  std::vector<std::string> tables = names_of_fact_tables();
  tables.emplace_back("snapshots");
  auto found = connection_.rows(shard, "old_partitions",
                                {{},
                                 {{"database", std::string_view(connection_.url().database)},
                                  {"tables", tables},
                                  {"before", before}}});
  if (!found) return found.error();
  for (const Row& row : *found) {
    const SqlParameters parameters{
        {{"table", text_at(row, 0)}},
        {{"partition", std::strtoull(text_at(row, 1).c_str(), nullptr, 10)}}};
    if (Status status = connection_.run(shard, "drop_partition", parameters); !status)
      return status;
  }
  return {};
}

/// From the first removal in `days` on, questions read facts. The second one is for a rollup() that
/// began after the first, and whose sums were removed: either its mark is removed, or it sees that
/// there was a removal.
Status ClickhouseDays::remove_sums(ClickhouseHttp& shard, const std::set<std::uint64_t>& days) {
  const SqlParameters of_days{{}, {{"days", std::vector(days.begin(), days.end())}}};
  if (Status status = connection_.mutate(shard, {"days"}, "remove_days", of_days); !status)
    return status;
  const std::vector<std::string> sums{"machine_days", "unit_days", "ram_days"};
  if (Status status = connection_.mutate(shard, sums, "remove_days", of_days); !status)
    return status;
  return connection_.mutate(shard, {"days"}, "remove_days", of_days);
}

}  // namespace physmem::fleet
