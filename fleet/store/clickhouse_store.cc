// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_store.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <utility>

#include "fleet/sql/sql_text.h"
#include "fleet/store/clickhouse_answer.h"
#include "fleet/store/clickhouse_rows.h"
#include "program/clock.h"
#include "program/errors.h"

namespace physmem::fleet {
namespace {

constexpr std::uint64_t kVersion = 1;
constexpr std::uint64_t kMaxSecond = std::numeric_limits<std::uint32_t>::max();  // of DateTime
constexpr std::uint64_t kDay = 86400;
constexpr std::chrono::milliseconds kFirstWait{100};
constexpr std::chrono::milliseconds kMaxWait{5000};

Error error_of(const HttpOutcome& outcome) {
  return {Error::Kind::kIo, outcome.text};
}

std::string_view section(std::string_view name) {
  return sql_section(sql_text("clickhouse", "statements"), name);
}

std::uint64_t number(const Row& row, std::size_t column) {
  const auto* const value =
      column < row.size() ? std::get_if<std::uint64_t>(&row[column]) : nullptr;
  return value != nullptr ? *value : 0;
}

std::string text(const Row& row, std::size_t column) {
  const auto* const value = column < row.size() ? std::get_if<std::string>(&row[column]) : nullptr;
  return value != nullptr ? *value : "";
}

/// Of several reports with one key, the last counts.
std::vector<const Report*> distinct(std::span<const Report> batch) {
  std::map<std::string_view, const Report*> by_key;
  for (const Report& report : batch) by_key[report.snapshot.key] = &report;
  std::vector<const Report*> reports;
  for (const Report& report : batch)
    if (by_key[report.snapshot.key] == &report) reports.push_back(&report);
  return reports;
}

}  // namespace

ClickhouseStore::ClickhouseStore(ClickhouseUrl url) : url_(std::move(url)) {
  for (const std::string& host : url_.hosts) shards_.emplace_back(url_, host);
}

Result<std::unique_ptr<Store>> ClickhouseStore::open(const std::string& text, StoreAccess access) {
  auto url = parse_clickhouse_url(text);
  if (!url) return url.error();
  std::unique_ptr<ClickhouseStore> store(new ClickhouseStore(std::move(*url)));
  if (const Status status = store->check_cluster(); !status) return status.error();
  const Status status = access == StoreAccess::kCreate ? store->create() : store->check_version();
  if (!status) return status.error();
  return std::unique_ptr<Store>(std::move(store));
}

std::string ClickhouseStore::filled(std::string_view text, SqlParameters parameters) const {
  parameters.names.emplace("database", url_.database);
  parameters.names.emplace("cluster", url_.cluster);
  parameters.names.emplace("all", url_.cluster.empty() ? "" : "_all");
  return filled_sql(text, parameters);
}

/// Rows would go to the wrong shard, or be left out of answers, if the URL did not name each shard.
Status ClickhouseStore::check_cluster() {
  if (url_.cluster.empty()) return {};
  for (ClickhouseHttp& shard : shards_) {
    auto found = rows(shard, "shards", {{}, {{"cluster", std::string_view(url_.cluster)}}});
    if (!found) return found.error();
    const std::uint64_t shards = found->empty() ? 0 : number((*found)[0], 0);
    if (shards != shards_.size())
      return Error{Error::Kind::kUsage,
                   "store " + shard.host() + ": cluster " + url_.cluster + " has " +
                       std::to_string(shards) + " shards, and the URL has " +
                       std::to_string(shards_.size()) + " hosts, expected one for each shard"};
  }
  return {};
}

Status ClickhouseStore::check_version() {
  for (ClickhouseHttp& shard : shards_) {
    auto tables = rows(shard, "versions", {{}, {{"database", std::string_view(url_.database)}}});
    if (!tables) return tables.error();
    if (tables->empty() || number((*tables)[0], 0) == 0)
      return bad_input("store " + shard.host() + ": database " + url_.database +
                       " is not a store, expected one (physmem-fleet load makes one)");
    auto version = rows(shard, "version", {});
    if (!version) return version.error();
    if (!version->empty() && number((*version)[0], 0) > kVersion)
      return bad_input("store " + shard.host() + ": has version " +
                       std::to_string(number((*version)[0], 0)) + " of the tables, expected " +
                       std::to_string(kVersion) + ": it is of a newer physmem-fleet");
  }
  return {};
}

Status ClickhouseStore::create() {
  for (ClickhouseHttp& shard : shards_) {
    for (const std::string& statement : sql_statements(sql_text("clickhouse", "schema"))) {
      if (url_.cluster.empty() && statement.find("{cluster}") != statement.npos) continue;
      HttpRequest request{filled(statement, {}), {}, {}};
      if (const Status status = repeat(shard, request); !status) return status;
    }
    if (const Status status = insert(shard, "mark", {}, std::to_string(kVersion) + "\n"); !status)
      return status;
  }
  return check_version();
}

/// Sends the request again while the server cannot be reached: statements and rows that are sent
/// twice have the effect of one.
Status ClickhouseStore::repeat(ClickhouseHttp& shard, const HttpRequest& request) {
  const auto deadline = system_clock().now() + std::chrono::seconds(url_.retry_seconds);
  for (auto wait = kFirstWait;; wait = std::min(wait * 2, kMaxWait)) {
    const HttpOutcome outcome = shard.send(request);
    if (outcome) return {};
    if (!outcome.may_be_repeated() || system_clock().now() + wait > deadline)
      return error_of(outcome);
    if (system_clock().wait_for(wait, {}) == Woken::kSignal) return error_of(outcome);
  }
}

Status ClickhouseStore::run(ClickhouseHttp& shard, std::string_view name,
                            SqlParameters parameters) {
  const std::string sql = filled(section(name), std::move(parameters));
  return repeat(shard, {sql, {}, {}});
}

Status ClickhouseStore::insert(ClickhouseHttp& shard, std::string_view name,
                               SqlParameters parameters, const std::string& rows) {
  if (rows.empty()) return {};
  std::string sql = filled(section(name), std::move(parameters));
  while (!sql.empty() && sql.back() == '\n') sql.pop_back();
  return repeat(shard, {sql, rows, {}});
}

/// A part of an answer is never enough: the server must neither leave out a shard that is down nor
/// send rows before it knows that there was no error.
Status ClickhouseStore::read(ClickhouseHttp& shard, const std::string& sql, const TakeRow& take) {
  ClickhouseAnswer answer(take);
  const HttpRequest request{sql,
                            {},
                            {{"default_format", "JSONCompact"},
                             {"output_format_json_quote_64bit_integers", "0"},
                             {"skip_unavailable_shards", "0"},
                             {"max_query_size", "67108864"},
                             {"wait_end_of_query", "1"}}};
  const HttpOutcome outcome =
      shard.send(request, [&](std::string_view piece) { return answer.add(piece); });
  if (!outcome && outcome.kind != HttpOutcome::Kind::kStopped) return error_of(outcome);
  return answer.finish();
}

Result<ClickhouseStore::Rows> ClickhouseStore::rows(ClickhouseHttp& shard, std::string_view name,
                                                    SqlParameters parameters) {
  Rows rows;
  const Status status =
      read(shard, filled(section(name), std::move(parameters)), [&](const Row& row) {
        rows.push_back(row);
        return Status();
      });
  if (!status) return status.error();
  return rows;
}

Result<std::set<std::string>> ClickhouseStore::known(const std::vector<std::string>& keys) {
  if (keys.empty()) return std::set<std::string>();
  std::vector<std::uint64_t> hashes;
  for (const std::string& key : keys) hashes.push_back(sip_hash(key));
  auto found = rows(shards_[0], "known", {{}, {{"hashes", hashes}, {"keys", keys}}});
  if (!found) return found.error();
  std::set<std::string> known;
  for (const Row& row : *found) known.insert(text(row, 0));
  return known;
}

Status ClickhouseStore::add(std::span<const Report> batch) {
  std::vector<Reports> by_shard(shards_.size());
  for (const Report* report : distinct(batch)) {
    const SnapshotLine& line = report->snapshot;
    if (line.second() > kMaxSecond)
      return bad_input("snapshot of " + line.host + ": its time is after 2106");
    by_shard[sip_hash(line.machine) % shards_.size()].push_back(report);
  }
  for (std::size_t i = 0; i < shards_.size(); ++i)
    if (const Status status = add_to(shards_[i], by_shard[i]); !status) return status;
  return {};
}

Status ClickhouseStore::add_to(ClickhouseHttp& shard, const Reports& reports) {
  const auto add = [&](const ClickhouseRows& rows) {
    return insert(shard, "add", {{{"table", rows.table}, {"columns", rows.columns}}, {}},
                  rows.rows);
  };
  for (std::size_t i = 0; i < kFactTables; ++i)
    if (const Status status = add(fact_rows(static_cast<FactTable>(i), reports)); !status)
      return status;
  if (const Status status = add(machine_rows(reports)); !status) return status;
  return add(snapshot_rows(reports));
}

Status ClickhouseStore::ask(Question question, const Selection& selection, const TakeRow& take) {
  SqlParameters parameters{{},
                           {{"since", std::min(selection.since, kMaxSecond)},
                            {"before", std::min(selection.before, kMaxSecond)},
                            {"base", selection.base}}};
  if (selection.machines) {
    std::vector<std::uint64_t> hashes;
    for (const std::string& machine : *selection.machines) hashes.push_back(sip_hash(machine));
    parameters.values.emplace("machines", hashes);
  }
  if (selection.units) parameters.values.emplace("units", *selection.units);
  for (const char* part : {"summed_days", "latest"})
    parameters.names.emplace(part, filled(sql_text("clickhouse", part), parameters));
  if (question == Question::kTrend) {
    const auto expired = expired_before();
    if (!expired) return expired.error();
    const bool is_single = !selection.machines && selection.units && selection.units->size() == 1;
    parameters.values.emplace("expired", *expired);
    if (is_single) parameters.values.emplace("unit", std::string_view(selection.units->front()));
  }
  const std::string sql = filled(sql_text("clickhouse", name(question)), parameters);
  return read(shards_[0], sql, take);
}

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
    days.push_back(number(row, 0));
    if (const Status status = sum_day(shard, number(row, 0), number(row, 1)); !status)
      return status.error();
  }
  return days;
}

/// Sums first, and the line of `days` last, as with facts and snapshots.
Status ClickhouseStore::sum_day(ClickhouseHttp& shard, std::uint64_t day, std::uint64_t snapshots) {
  // Later sums replace earlier ones. Clocks of several machines may differ, so a day that has more
  // snapshots wins at any time.
  const std::uint64_t version = snapshots;
  const std::uint64_t partition = partition_of(day);
  if (const Status status = run(shard, "merge_snapshots", {{}, {{"partition", partition}}});
      !status)
    return status;
  const SqlParameters parameters{{}, {{"day", day}, {"version", version}}};
  if (const Status status = run_all(shard, sql_text("clickhouse", "rollup"), parameters); !status)
    return status;
  const std::string line = std::to_string(day) + "\t" + std::to_string(snapshots) + "\t" +
                           std::to_string(version) + "\n";
  return insert(shard, "mark_day", {}, line);
}

Status ClickhouseStore::run_all(ClickhouseHttp& shard, std::string_view text,
                                const SqlParameters& parameters) {
  for (const std::string& statement : sql_statements(text))
    if (const Status status = repeat(shard, {filled(statement, parameters), {}, {}}); !status)
      return status;
  return {};
}

/// Everything is summed up before the first snapshot is removed. From the mark on, the loader
/// leaves out older snapshots.
Result<std::uint64_t> ClickhouseStore::expire(std::uint64_t before) {
  const std::uint64_t end = std::min(before, kMaxSecond) / kDay * kDay;
  if (const auto days = rollup(end); !days) return days.error();
  if (const Status status = sum_trend(end); !status) return status.error();
  auto found = rows(shards_[0], "old_snapshots", {{}, {{"before", end}}});
  if (!found) return found.error();
  for (ClickhouseHttp& shard : shards_)
    if (const Status status = insert(shard, "set_expired", {}, std::to_string(end) + "\n"); !status)
      return status.error();
  for (ClickhouseHttp& shard : shards_)
    if (const Status status = drop_old(shard, end); !status) return status.error();
  return found->empty() ? 0 : number((*found)[0], 0);
}

/// Each shard gets the trends of all.
Status ClickhouseStore::sum_trend(std::uint64_t before) {
  const auto since = expired_before();
  if (!since) return since.error();
  auto days = rows(shards_[0], "days_of_facts", {{}, {{"since", *since}, {"before", before}}});
  if (!days) return days.error();
  for (const Row& row : *days)
    for (ClickhouseHttp& shard : shards_) {
      const SqlParameters parameters{{}, {{"day", number(row, 0)}}};
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
    if (!found->empty()) before = std::max(before, number((*found)[0], 0));
  }
  return before;
}

/// Lines of `snapshots` go first, so that no question sees a part of a snapshot.
Status ClickhouseStore::drop_old(ClickhouseHttp& shard, std::uint64_t before) {
  std::vector<std::string> tables{"snapshots"};
  for (const FactColumns& columns : fact_tables()) tables.emplace_back(columns.name);
  auto found = rows(
      shard, "old_partitions",
      {{},
       {{"database", std::string_view(url_.database)}, {"tables", tables}, {"before", before}}});
  if (!found) return found.error();
  for (const Row& row : *found) {
    const SqlParameters parameters{
        {{"table", text(row, 0)}},
        {{"partition", std::strtoull(text(row, 1).c_str(), nullptr, 10)}}};
    if (const Status status = run(shard, "drop_partition", parameters); !status) return status;
  }
  return {};
}

}  // namespace physmem::fleet
