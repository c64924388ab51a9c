// SPDX-License-Identifier: MIT
// Reports into ClickHouse.
#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fleet/model/report.h"
#include "fleet/store/clickhouse_answer.h"
#include "fleet/store/clickhouse_rows.h"
#include "fleet/store/clickhouse_store.h"
#include "program/clock.h"
#include "program/errors.h"

namespace physmem::fleet {
namespace {

/// Of all batches together.
constexpr std::size_t kMaxBatchBytes = std::size_t{36} << 20;
constexpr std::chrono::milliseconds kPoll{50};

/// The server finds a number four times as fast as a key of three columns. Places may have equal
/// numbers.
std::vector<std::uint64_t> numbers_of(const std::vector<SnapshotKey>& places) {
  std::vector<std::uint64_t> numbers;
  for (const SnapshotKey& place : places)
    numbers.push_back(place.machine_hash ^
                      (std::uint64_t{place.second} * 1000 + place.millisecond));
  return numbers;
}

/// Numbers with commas between them.
SqlLiteral text_of(const std::vector<std::uint64_t>& numbers) {
  return std::string_view(SqlLiteral(numbers).text());
}

/// The times of places, by which the server leaves out partitions. A key has one time, because it
/// is the hash of a text with its time.
SqlParameters times_of(const std::vector<SnapshotKey>& places) {
  const auto [first, last] =
      std::minmax_element(places.begin(), places.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; });
  return {{}, {{"first", first->second}, {"last", last->second}}};
}

}  // namespace

Result<std::set<std::string>> ClickhouseStore::known(const std::vector<std::string>& keys) {
  std::set<std::string> known;
  if (keys.empty()) return known;
  for (ClickhouseHttp& shard : shards_) {
    const auto found = rows(shard, "known", {{}, {{"hashes", text_of(hashes_of(keys))}}});
    if (!found) return found.error();
    for (const Row& row : *found) known.insert(text_at(row, 0));
  }
  return known;
}

Status ClickhouseStore::add(std::span<const Report> batch) {
  for (const Report& report : batch) {
    const SnapshotLine& line = report.snapshot;
    if (line.second() > kMaxSecond)
      return bad_input("snapshot of " + line.host + ": its time is after 2106");
    batches_[sip_hash(line.machine) % batches_.size()].add(report);
  }
  return {};
}

bool ClickhouseStore::is_full() const {
  std::size_t bytes = 0, rows = 0;
  for (const ClickhouseBatch& batch : batches_) {
    bytes += batch.bytes();
    rows += batch.rows();
  }
  return bytes >= kMaxBatchBytes || rows >= url_.batch_rows;
}

/// A key may be that of a machine on another shard, if the name of the machine was another.
Result<std::uint64_t> ClickhouseStore::flush(bool leaves_out_known) {
  std::vector<std::string> keys;
  std::vector<SnapshotKey> places;
  for (const ClickhouseBatch& batch : batches_) {
    for (std::string& key : batch.keys()) keys.push_back(std::move(key));
    for (const SnapshotKey& place : batch.places()) places.push_back(place);
  }
  if (keys.empty()) return 0;
  SqlParameters parameters = times_of(places);
  parameters.values.emplace("hashes", text_of(hashes_of(keys)));
  parameters.values.emplace("numbers", text_of(numbers_of(places)));
  std::vector<std::vector<Stored>> stored;
  std::set<std::string> known, sent;
  for (ClickhouseHttp& shard : shards_) {
    auto found = this->stored(shard, parameters);
    if (!found) return found.error();
    for (const Stored& snapshot : *found) known.insert(snapshot.key);
    stored.push_back(std::move(*found));
  }
  std::uint64_t left_out = 0;
  for (ClickhouseBatch& batch : batches_) {
    if (leaves_out_known) left_out += batch.leave_out(known);
    batch.leave_out_replaced(sent);
  }
  for (std::size_t shard = 0; shard < shards_.size(); ++shard) {
    std::vector<SnapshotKey> replaced;
    for (const Stored& snapshot : stored[shard])
      if (sent.contains(snapshot.key) || batches_[shard].sends(snapshot.place))
        replaced.push_back(snapshot.place);
    if (Status status = replace(shards_[shard], batches_[shard], replaced); !status)
      return status.error();
    batches_[shard] = {};
  }
  return left_out;
}

/// Snapshots whose hashes of the key or of the place are among the parameters.
Result<std::vector<ClickhouseStore::Stored>> ClickhouseStore::stored(
    ClickhouseHttp& shard, const SqlParameters& parameters) {
  const auto found = rows(shard, "stored", parameters);
  if (!found) return found.error();
  std::vector<Stored> stored;
  for (const Row& row : *found)
    stored.push_back({text_at(row, 0),
                      {number_at(row, 1), static_cast<std::uint32_t>(number_at(row, 2)),
                       static_cast<std::uint16_t>(number_at(row, 3))}});
  return stored;
}

/// A removal that begins while this runs may remove facts of a snapshot whose line is sent after
/// that. Then all is sent again: what is there already is replaced.
Status ClickhouseStore::send(ClickhouseHttp& shard, const ClickhouseBatch& batch) {
  std::vector<std::string> tables = names_of_fact_tables();
  tables.emplace_back("snapshots");
  auto removals = last_mutations(shard, tables);
  for (bool is_sent = false; removals && !is_sent;) {
    Status status = batch.for_each([&](const ClickhouseTable& table, RowSource& rows) {
      const SqlParameters parameters{
          {{"table", table.name}, {"columns", table.columns}, {"format", table.format}}, {}};
      return insert(shard, "add", parameters, rows);
    });
    if (!status) return status;
    const auto removals_since = last_mutations(shard, tables);
    is_sent = removals_since && *removals_since == *removals;
    removals = removals_since;
  }
  return removals ? Status() : Status(removals.error());
}

/// A fact replaces that with the same key, but a report that is replaced may have facts that the
/// new one does not have. Its line in `snapshots` goes last, so that what is interrupted can be
/// found and done again. Sums of its day that are made while this runs are removed, too.
Status ClickhouseStore::replace(ClickhouseHttp& shard, const ClickhouseBatch& batch,
                                const std::vector<SnapshotKey>& replaced) {
  if (replaced.empty()) return send(shard, batch);
  std::set<std::uint64_t> days;
  for (const SnapshotKey& place : replaced) days.insert(place.second / kDay * kDay);
  const std::vector<std::string> facts = names_of_fact_tables();
  SqlParameters of_snapshots = times_of(replaced);
  of_snapshots.values.emplace("places", replaced);
  if (Status status = remove_sums(shard, days); !status) return status;
  if (Status status = mutate(shard, facts, "remove", of_snapshots); !status) return status;
  if (Status status = mutate(shard, {"snapshots"}, "remove", of_snapshots); !status) return status;
  if (Status status = send(shard, batch); !status) return status;
  return remove_sums(shard, days);
}

/// From the first removal in `days` on, questions read facts. The second one is for a rollup() that
/// began after the first, and whose sums were removed: either its mark is removed, or it sees that
/// there was a removal.
Status ClickhouseStore::remove_sums(ClickhouseHttp& shard, const std::set<std::uint64_t>& days) {
  const SqlParameters of_days{{}, {{"days", std::vector(days.begin(), days.end())}}};
  if (Status status = mutate(shard, {"days"}, "remove_days", of_days); !status) return status;
  const std::vector<std::string> sums{"machine_days", "unit_days", "ram_days"};
  if (Status status = mutate(shard, sums, "remove_days", of_days); !status) return status;
  return mutate(shard, {"days"}, "remove_days", of_days);
}

/// The server changes rows by and by; rows that are inserted later stay.
Status ClickhouseStore::mutate(ClickhouseHttp& shard, const std::vector<std::string>& tables,
                               std::string_view section, SqlParameters parameters) {
  for (const std::string& table : tables) {
    parameters.names.insert_or_assign("table", table);
    if (Status status = run(shard, section, parameters); !status) return status;
  }
  return wait_for_mutations(shard, tables);
}

Result<std::uint64_t> ClickhouseStore::last_mutations(ClickhouseHttp& shard,
                                                      const std::vector<std::string>& tables) {
  const auto found =
      rows(shard, "last_mutations",
           {{}, {{"database", std::string_view(url_.database)}, {"tables", tables}}});
  if (!found) return found.error();
  return found->empty() ? 0 : number_at((*found)[0], 0);
}

/// A server that got them goes on after a signal.
Status ClickhouseStore::wait_for_mutations(ClickhouseHttp& shard,
                                           const std::vector<std::string>& tables) {
  const auto deadline = system_clock().now() + std::chrono::seconds(url_.timeout_seconds);
  const SqlParameters mutations{
      {}, {{"database", std::string_view(url_.database)}, {"tables", tables}}};
  for (;;) {
    auto running = rows(shard, "running_mutations", mutations);
    if (!running) return running.error();
    if (!running->empty() && number_at((*running)[0], 0) == 0) return {};
    if (system_clock().wait_for(kPoll, {}) == Woken::kSignal)
      return Error{Error::Kind::kIo,
                   "store " + shard.host() +
                       ": interrupted while it changes or removes rows (system.mutations of the "
                       "server has more)"};
    if (system_clock().now() > deadline)
      return Error{Error::Kind::kIo, "store " + shard.host() +
                                         ": did not change or remove rows in time "
                                         "(system.mutations of the server has more)"};
  }
}

}  // namespace physmem::fleet
