// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_store.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <limits>
#include <utility>

#include "fleet/sql/sql_section.h"
#include "fleet/sql/sql_text.h"
#include "fleet/store/clickhouse_answer.h"
#include "fleet/store/clickhouse_rows.h"
#include "program/clock.h"
#include "program/errors.h"

namespace physmem::fleet {
namespace {

constexpr std::uint64_t kVersion = 1;
/// Of all batches together.
constexpr std::size_t kMaxBatchBytes = std::size_t{32} << 20;
/// FINAL and groups work on columns of so many rows: a quarter of the default stays in the caches
/// of a processor, and questions of 10 M rows need about a tenth less CPU time.
constexpr const char* kBlockRows = "16384";
constexpr std::chrono::milliseconds kFirstWait{100};
constexpr std::chrono::milliseconds kMaxWait{5000};

Error error_of(const HttpOutcome& outcome) {
  return {Error::Kind::kIo, outcome.text};
}

std::string_view section(std::string_view name) {
  return sql_statement("clickhouse", name);
}

/// A part of an answer is never enough: the server must neither leave out a shard that is down nor
/// send rows before it knows that there was no error. `whole`: whether all rows came.
/// `is_by_machine`: all groups are of one machine, so the shards have no groups in common.
HttpOutcome read(ClickhouseHttp& shard, const std::string& sql, Status& whole,
                 const Store::TakeRow& take, bool is_by_machine = false) {
  ClickhouseAnswer answer(take);
  const HttpRequest request{sql,
                            {},
                            {{"default_format", "JSONCompact"},
                             {"distributed_group_by_no_merge", is_by_machine ? "1" : "0"},
                             {"output_format_json_quote_64bit_integers", "0"},
                             {"skip_unavailable_shards", "0"},
                             {"max_block_size", kBlockRows},
                             {"max_query_size", "67108864"},
                             {"wait_end_of_query", "1"}}};
  HttpOutcome outcome =
      shard.send(request, [&](std::string_view piece) { return answer.add(piece); });
  whole = Status();
  if (outcome.kind == HttpOutcome::Kind::kStopped) outcome = {};
  if (outcome) whole = answer.finish();
  if (!whole && !whole.error().text.empty())
    whole = Error{whole.error().kind, "store " + shard.host() + ": " + whole.error().text};
  return outcome;
}

}  // namespace

ClickhouseStore::ClickhouseStore(ClickhouseUrl url) : url_(std::move(url)) {
  for (const std::string& host : url_.hosts) shards_.emplace_back(url_, host);
  batches_.resize(shards_.size());
}

Result<std::unique_ptr<Store>> ClickhouseStore::open(const std::string& text, StoreAccess access) {
  auto url = parse_clickhouse_url(text);
  if (!url) return url.error();
  if (access == StoreAccess::kRead) url->retry_seconds = 0;  // a user waits
  std::unique_ptr<ClickhouseStore> store(new ClickhouseStore(std::move(*url)));
  if (const Status status = store->check_cluster(); !status) return status.error();
  if (access != StoreAccess::kCreate)
    if (const Status status = store->check_version(); !status) return status.error();
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
    const std::uint64_t shards = found->empty() ? 0 : number_at((*found)[0], 0);
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
    if (tables->empty() || number_at((*tables)[0], 0) == 0)
      return bad_input("store " + shard.host() + ": database " + url_.database +
                       " is not a store, expected one (physmem-fleet load makes one)");
    auto version = rows(shard, "version", {});
    if (!version) return version.error();
    if (!version->empty() && number_at((*version)[0], 0) > kVersion)
      return bad_input("store " + shard.host() + ": has version " +
                       std::to_string(number_at((*version)[0], 0)) + " of the tables, expected " +
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

/// Sends again while the server cannot be reached: statements and rows that are sent twice have the
/// effect of one.
Status ClickhouseStore::repeat(const std::function<HttpOutcome()>& send) {
  const auto deadline = system_clock().now() + std::chrono::seconds(url_.retry_seconds);
  for (auto wait = kFirstWait;; wait = std::min(wait * 2, kMaxWait)) {
    const HttpOutcome outcome = send();
    if (outcome) return {};
    if (!outcome.may_be_repeated() || system_clock().now() + wait > deadline)
      return error_of(outcome);
    if (system_clock().wait_for(wait, {}) == Woken::kSignal) return error_of(outcome);
  }
}

Status ClickhouseStore::repeat(ClickhouseHttp& shard, const HttpRequest& request) {
  return repeat([&] { return shard.send(request); });
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

Result<ClickhouseStore::Rows> ClickhouseStore::rows(ClickhouseHttp& shard, std::string_view name,
                                                    SqlParameters parameters) {
  const std::string sql = filled(section(name), std::move(parameters));
  Rows rows;
  Status whole;
  const Status status = repeat([&] {
    rows.clear();
    return read(shard, sql, whole, [&](const Row& row) {
      rows.push_back(row);
      return Status();
    });
  });
  if (!status) return status.error();
  if (!whole) return whole.error();
  return rows;
}

/// A snapshot is on the shard of its machine.
Result<std::set<std::string>> ClickhouseStore::known(const std::vector<std::string>& keys) {
  std::set<std::string> known;
  for (ClickhouseHttp& shard : shards_) {
    const auto some = known_to(shard, keys);
    if (!some) return some.error();
    known.insert(some->begin(), some->end());
  }
  return known;
}

/// Keys with an equal hash may be among them.
Result<std::set<std::string>> ClickhouseStore::known_to(ClickhouseHttp& shard,
                                                        const std::vector<std::string>& keys) {
  std::set<std::string> known;
  if (keys.empty()) return known;
  std::vector<std::uint64_t> hashes;
  for (const std::string& key : keys) hashes.push_back(sip_hash(key));
  auto found = rows(shard, "known", {{}, {{"hashes", hashes}}});
  if (!found) return found.error();
  for (const Row& row : *found) known.insert(text_at(row, 0));
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

Result<std::uint64_t> ClickhouseStore::flush(bool leaves_out_known) {
  std::uint64_t left_out = 0;
  for (std::size_t shard = 0; shard < shards_.size(); ++shard) {
    if (const auto some = send(shard, leaves_out_known); some)
      left_out += *some;
    else
      return some.error();
  }
  return left_out;
}

Result<std::uint64_t> ClickhouseStore::send(std::size_t shard, bool leaves_out_known) {
  ClickhouseBatch& batch = batches_[shard];
  std::uint64_t left_out = 0;
  if (leaves_out_known) {
    const auto known = known_to(shards_[shard], batch.keys());
    if (!known) return known.error();
    left_out = batch.leave_out(*known);
  } else {
    batch.leave_out_replaced();
  }
  const Status sent = batch.for_each([&](const ClickhouseRows& rows) {
    const SqlParameters parameters{
        {{"table", rows.table}, {"columns", rows.columns}, {"format", rows.format}}, {}};
    return insert(shards_[shard], "add", parameters, rows.rows);
  });
  if (!sent) return sent.error();
  batch = {};
  return left_out;
}

Status ClickhouseStore::set_kept(std::span<const KeptSnapshot> kept) {
  if (kept.empty()) return {};
  std::vector<std::uint64_t> hashes;
  std::vector<std::string> keys, archives;
  for (const KeptSnapshot& snapshot : kept) {
    hashes.push_back(sip_hash(snapshot.key));
    keys.push_back(snapshot.key);
    archives.push_back(snapshot.archive);
  }
  for (ClickhouseHttp& shard : shards_)
    if (const Status status = run(
            shard, "set_kept", {{}, {{"hashes", hashes}, {"keys", keys}, {"archives", archives}}});
        !status)
      return status;
  return {};
}

Status ClickhouseStore::forget_kept(std::uint64_t before) {
  for (ClickhouseHttp& shard : shards_)
    if (const Status status =
            run(shard, "forget_kept", {{}, {{"before", std::min(before, kMaxSecond)}}});
        !status)
      return status;
  return {};
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
  parameters.names.emplace("latest", filled(sql_text("clickhouse", "latest"), parameters));
  if (question == Question::kMachines || question == Question::kUnits || question == Question::kRam)
    if (const Status status = choose_days(parameters); !status) return status;
  if (question == Question::kTrend) {
    const auto expired = expired_before();
    if (!expired) return expired.error();
    const bool is_single = !selection.machines && selection.units && selection.units->size() == 1;
    parameters.values.emplace("expired", *expired);
    if (is_single) parameters.values.emplace("unit", std::string_view(selection.units->front()));
  }
  const std::string sql = filled(sql_text("clickhouse", name(question)), parameters);
  Status whole;
  const bool is_by_machine =
      question == Question::kUnits || question == Question::kRam || question == Question::kLeaks;
  const HttpOutcome outcome = read(shards_[0], sql, whole, take, is_by_machine);
  return outcome ? whole : Status(error_of(outcome));
}

}  // namespace physmem::fleet
