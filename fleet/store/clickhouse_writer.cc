// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_writer.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fleet/model/report.h"
#include "fleet/store/clickhouse_answer.h"
#include "fleet/store/clickhouse_rows.h"
#include "program/errors.h"

namespace physmem::fleet {
namespace {

/// The size of all batches together.
constexpr std::size_t kMaxBatchBytes = std::size_t{36} << 20;

/// The server finds a number four times as fast as a key of three columns. Places may have equal
/// numbers.
std::vector<std::uint64_t> numbers_of(const std::vector<SnapshotKey>& places) {
  std::vector<std::uint64_t> numbers;
  numbers.reserve(places.size());
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

Result<std::set<std::string>> ClickhouseWriter::known(const std::vector<std::string>& keys) {
  std::set<std::string> known;
  if (keys.empty()) return known;
  for (ClickhouseHttp& shard : connection_.shards()) {
    const auto found =
        connection_.rows(shard, "known", {{}, {{"hashes", text_of(hashes_of(keys))}}});
    if (!found) return found.error();
    for (const Row& row : *found) known.insert(text_at(row, 0));
  }
  return known;
}

Status ClickhouseWriter::add(std::span<const Report> batch) {
  for (const Report& report : batch) {
    const SnapshotLine& line = report.snapshot;
    if (line.second() > kMaxSecond)
      return bad_input("snapshot of " + line.host + ": its time is after 2106");
    batches_[connection_.shard_of(line.machine)].add(report);
  }
  return {};
}

bool ClickhouseWriter::is_full() const {
  std::size_t bytes = 0, rows = 0;
  for (const ClickhouseBatch& batch : batches_) {
    bytes += batch.bytes();
    rows += batch.rows();
  }
  return bytes >= kMaxBatchBytes || rows >= connection_.url().batch_rows;
}

/// The snapshot of a key may be on another shard, if the machine had another name.
Result<std::uint64_t> ClickhouseWriter::flush(bool leaves_out_known) {
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
  for (ClickhouseHttp& shard : connection_.shards()) {
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
  ClickhouseConnection::Shards& shards = connection_.shards();
  for (std::size_t shard = 0; shard < shards.size(); ++shard) {
    std::vector<SnapshotKey> replaced;
    for (const Stored& snapshot : stored[shard])
      if (sent.contains(snapshot.key) || batches_[shard].sends(snapshot.place))
        replaced.push_back(snapshot.place);
    if (Status status = replace(shards[shard], batches_[shard], replaced); !status)
      return status.error();
    batches_[shard] = {};
  }
  return left_out;
}

/// Snapshots whose hashes of the key or of the place are among the parameters.
Result<std::vector<ClickhouseWriter::Stored>> ClickhouseWriter::stored(
    ClickhouseHttp& shard, const SqlParameters& parameters) {
  const auto found = connection_.rows(shard, "stored", parameters);
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
Status ClickhouseWriter::send(ClickhouseHttp& shard, const ClickhouseBatch& batch) {
  std::vector<std::string> tables = names_of_fact_tables();
  tables.emplace_back("snapshots");
  auto removals = connection_.last_mutations(shard, tables);
  for (bool is_sent = false; removals && !is_sent;) {
    Status status = batch.for_each([&](const ClickhouseTable& table, RowSource& rows) {
      const SqlParameters parameters{
          {{"table", table.name}, {"columns", table.columns}, {"format", table.format}}, {}};
      return connection_.insert(shard, "add", parameters, rows);
    });
    if (!status) return status;
    const auto removals_since = connection_.last_mutations(shard, tables);
    is_sent = removals_since && *removals_since == *removals;
    removals = removals_since;
  }
  return removals ? Status() : Status(removals.error());
}

/// A fact replaces that with the same key, but a report that is replaced may have facts that the
/// new one does not have. Its line in `snapshots` goes last, so that what is interrupted can be
/// found and done again. Sums of its day that are made while this runs are removed, too.
Status ClickhouseWriter::replace(ClickhouseHttp& shard, const ClickhouseBatch& batch,
                                 const std::vector<SnapshotKey>& replaced) {
  if (replaced.empty()) return send(shard, batch);
  std::set<std::uint64_t> days;
  for (const SnapshotKey& place : replaced) days.insert(place.second / kDay * kDay);
  const std::vector<std::string> facts = names_of_fact_tables();
  SqlParameters of_snapshots = times_of(replaced);
  of_snapshots.values.emplace("places", replaced);
  if (Status status = days_.remove_sums(shard, days); !status) return status;
  if (Status status = connection_.mutate(shard, facts, "remove", of_snapshots); !status)
    return status;
  if (Status status = connection_.mutate(shard, {"snapshots"}, "remove", of_snapshots); !status)
    return status;
  if (Status status = send(shard, batch); !status) return status;
  return days_.remove_sums(shard, days);
}

Status ClickhouseWriter::set_kept(std::span<const KeptSnapshot> kept) {
  if (kept.empty()) return {};
  std::vector<std::string> keys, archives;
  for (const KeptSnapshot& snapshot : kept) {
    keys.push_back(snapshot.key);
    archives.push_back(snapshot.archive);
  }
  const SqlParameters parameters{
      {}, {{"hashes", hashes_of(keys)}, {"keys", keys}, {"archives", archives}}};
  for (ClickhouseHttp& shard : connection_.shards())
    if (Status status = run_by_days(shard, "days_of_keys", "set_kept", parameters); !status)
      return status;
  return {};
}

Status ClickhouseWriter::forget_kept(std::uint64_t before) {
  const SqlParameters parameters{{}, {{"before", std::min(before, kMaxSecond)}}};
  for (ClickhouseHttp& shard : connection_.shards())
    if (Status status = run_by_days(shard, "days_of_kept", "forget_kept", parameters); !status)
      return status;
  return {};
}

/// Servers of today insert into at most 100 partitions at once.
Status ClickhouseWriter::run_by_days(ClickhouseHttp& shard, std::string_view days,
                                     std::string_view clickhouse_section,
                                     const SqlParameters& parameters) {
  constexpr std::size_t kMaxDays = 100;
  auto found = connection_.rows(shard, days, parameters);
  if (!found) return found.error();
  for (std::size_t first = 0; first < found->size(); first += kMaxDays) {
    const std::size_t last = std::min(first + kMaxDays, found->size()) - 1;
    SqlParameters of_days = parameters;
    of_days.values.emplace("first", number_at((*found)[first], 0));
    of_days.values.emplace("end", number_at((*found)[last], 0) + kDay);
    if (Status status = connection_.run(shard, clickhouse_section, std::move(of_days)); !status)
      return status;
  }
  return {};
}

}  // namespace physmem::fleet
