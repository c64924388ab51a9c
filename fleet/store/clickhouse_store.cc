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

constexpr std::uint64_t kVersion = 2;
constexpr std::chrono::milliseconds kFirstWait{100};
constexpr std::chrono::milliseconds kMaxWait{5000};

std::string_view section(std::string_view name) {
  return sql_statement("clickhouse", name);
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
  if (access == StoreAccess::kWrite)
    for (ClickhouseHttp& shard : store->shards_)
      if (const Status status = store->upgrade(shard); !status) return status.error();
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
      HttpRequest request{filled(statement, {}), nullptr, {}};
      if (const Status status = repeat(shard, request); !status) return status;
    }
    if (const Status status = upgrade(shard); !status) return status;
  }
  return check_version();
}

/// Marks a store of this version, and makes it from one of version 1.
Status ClickhouseStore::upgrade(ClickhouseHttp& shard) {
  auto found = rows(shard, "version", {});
  if (!found) return found.error();
  const std::uint64_t version = found->empty() ? 0 : number_at((*found)[0], 0);
  if (version >= kVersion) return {};
  if (version != 0)
    if (const Status status = mutate(shard, {"snapshots"}, "keys_as_bytes", {}); !status)
      return status;
  const std::string line = std::to_string(kVersion) + "\n";
  TextRows mark(line);
  return insert(shard, "mark", {}, mark);
}

/// Sends again while the server cannot be reached: statements and rows that are sent twice have the
/// effect of one.
Status ClickhouseStore::repeat(const std::function<HttpOutcome()>& send) {
  const auto deadline = system_clock().now() + std::chrono::seconds(url_.retry_seconds);
  for (auto wait = kFirstWait;; wait = std::min(wait * 2, kMaxWait)) {
    const HttpOutcome outcome = send();
    if (outcome) return {};
    if (!outcome.may_be_repeated() || system_clock().now() + wait > deadline)
      return outcome.error();
    if (system_clock().wait_for(wait, {}) == Woken::kSignal) return outcome.error();
  }
}

Status ClickhouseStore::repeat(ClickhouseHttp& shard, const HttpRequest& request) {
  return repeat([&] { return shard.send(request); });
}

Status ClickhouseStore::run(ClickhouseHttp& shard, std::string_view name,
                            SqlParameters parameters) {
  const std::string sql = filled(section(name), std::move(parameters));
  return repeat(shard, {sql, nullptr, {}});
}

Status ClickhouseStore::insert(ClickhouseHttp& shard, std::string_view name,
                               SqlParameters parameters, RowSource& rows) {
  rows.restart();
  if (rows.next().empty()) return {};
  std::string sql = filled(section(name), std::move(parameters));
  while (!sql.empty() && sql.back() == '\n') sql.pop_back();
  return repeat(shard, {sql, &rows, {}});
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

}  // namespace physmem::fleet
