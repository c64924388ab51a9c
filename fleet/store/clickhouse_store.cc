// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include "fleet/sql/sql_section.h"
#include "fleet/store/clickhouse_answer.h"
#include "fleet/store/clickhouse_rows.h"
#include "program/clock.h"

namespace physmem::fleet {
namespace {

constexpr std::chrono::milliseconds kFirstWait{100};
constexpr std::chrono::milliseconds kMaxWait{5000};

}  // namespace

ClickhouseStore::ClickhouseStore(ClickhouseUrl url) : url_(std::move(url)) {
  for (const std::string& host : url_.hosts) shards_.emplace_back(url_, host);
  batches_.resize(shards_.size());
}

Result<std::unique_ptr<Store>> ClickhouseStore::open(const std::string& text, StoreAccess access,
                                                     Notice notice) {
  auto url = parse_clickhouse_url(text);
  if (!url) return url.error();
  if (access == StoreAccess::kRead) url->retry_seconds = 0;  // a user waits
  std::unique_ptr<ClickhouseStore> store(new ClickhouseStore(std::move(*url)));
  store->set_notice(std::move(notice));
  if (const Status status = store->find_shards(access); !status) return status.error();
  return std::unique_ptr<Store>(std::move(store));
}

std::string ClickhouseStore::filled(std::string_view text, SqlParameters parameters) const {
  parameters.names.emplace("database", url_.database);
  parameters.names.emplace("all", url_.cluster.empty() ? "" : "_all");
  return filled_sql(text, parameters);
}

/// Sends again while the server cannot be reached: statements and rows that are sent twice have the
/// effect of one. The first time, the user learns why nothing seems to happen.
Status ClickhouseStore::repeat(const std::function<HttpOutcome()>& send) {
  const auto deadline = system_clock().now() + std::chrono::seconds(url_.retry_seconds);
  for (auto wait = kFirstWait;; wait = std::min(wait * 2, kMaxWait)) {
    const HttpOutcome outcome = send();
    if (outcome) {
      has_reported_wait_ = false;
      return {};
    }
    if (!outcome.may_be_repeated() || system_clock().now() + wait > deadline)
      return outcome.error();
    if (!has_reported_wait_)
      give_notice(fmt::format("{}; trying again for up to {} s", outcome.text, url_.retry_seconds));
    has_reported_wait_ = true;
    if (system_clock().wait_for(wait, {}) == Woken::kSignal) return outcome.error();
  }
}

Status ClickhouseStore::repeat(ClickhouseHttp& shard, const HttpRequest& request) {
  return repeat([&] { return shard.send(request); });
}

Status ClickhouseStore::run(ClickhouseHttp& shard, std::string_view name,
                            SqlParameters parameters) {
  const std::string sql = filled(sql_statement("clickhouse", name), std::move(parameters));
  return repeat(shard, {sql, nullptr, {}});
}

/// A replicated table would drop rows that were inserted before, even if they were removed since.
Status ClickhouseStore::insert(ClickhouseHttp& shard, std::string_view name,
                               SqlParameters parameters, RowSource& rows) {
  rows.restart();
  if (rows.next().empty()) return {};
  std::string sql = filled(sql_statement("clickhouse", name), std::move(parameters));
  while (!sql.empty() && sql.back() == '\n') sql.pop_back();
  return repeat(shard, {sql, &rows, {{"insert_deduplicate", "0"}}});
}

Result<ClickhouseStore::Rows> ClickhouseStore::rows(ClickhouseHttp& shard, std::string_view name,
                                                    SqlParameters parameters) {
  const std::string sql = filled(sql_statement("clickhouse", name), std::move(parameters));
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
  std::vector<std::string> keys, archives;
  for (const KeptSnapshot& snapshot : kept) {
    keys.push_back(snapshot.key);
    archives.push_back(snapshot.archive);
  }
  const SqlParameters parameters{
      {}, {{"hashes", hashes_of(keys)}, {"keys", keys}, {"archives", archives}}};
  for (ClickhouseHttp& shard : shards_)
    if (Status status = run_by_days(shard, "days_of_keys", "set_kept", parameters); !status)
      return status;
  return {};
}

Status ClickhouseStore::forget_kept(std::uint64_t before) {
  const SqlParameters parameters{{}, {{"before", std::min(before, kMaxSecond)}}};
  for (ClickhouseHttp& shard : shards_)
    if (Status status = run_by_days(shard, "days_of_kept", "forget_kept", parameters); !status)
      return status;
  return {};
}

/// Servers of today insert into at most 100 partitions at once.
Status ClickhouseStore::run_by_days(ClickhouseHttp& shard, std::string_view days,
                                    std::string_view clickhouse_section,
                                    const SqlParameters& parameters) {
  constexpr std::size_t kMaxDays = 100;
  auto found = rows(shard, days, parameters);
  if (!found) return found.error();
  for (std::size_t first = 0; first < found->size(); first += kMaxDays) {
    const std::size_t last = std::min(first + kMaxDays, found->size()) - 1;
    SqlParameters of_days = parameters;
    of_days.values.emplace("first", number_at((*found)[first], 0));
    of_days.values.emplace("end", number_at((*found)[last], 0) + kDay);
    if (Status status = run(shard, clickhouse_section, std::move(of_days)); !status) return status;
  }
  return {};
}

}  // namespace physmem::fleet
