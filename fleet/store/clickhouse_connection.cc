// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "fleet/model/report.h"
#include "fleet/sql/sql_section.h"
#include "fleet/store/clickhouse_answer.h"
#include "program/clock.h"

namespace physmem::fleet {
namespace {

constexpr std::chrono::milliseconds kFirstWait{100};
constexpr std::chrono::milliseconds kMaxWait{5000};
constexpr std::chrono::milliseconds kPoll{50};

/// FINAL and groups work on columns of so many rows: a quarter of the default stays in the caches
/// of a CPU, and questions of 10 M rows need about a tenth less CPU time.
constexpr const char* kAnswerBlockRows = "16384";

}  // namespace

ClickhouseConnection::ClickhouseConnection(ClickhouseUrl url, Store::Notice notice)
    : url_(std::move(url)), notice_(std::move(notice)) {
  for (const std::string& host : url_.hosts) shards_.emplace_back(url_, host);
}

std::size_t ClickhouseConnection::shard_of(const std::string& machine) const {
  return sip_hash(machine) % shards_.size();
}

std::string ClickhouseConnection::filled(std::string_view text, SqlParameters parameters) const {
  parameters.names.emplace("database", url_.database);
  parameters.names.emplace("all", url_.cluster.empty() ? "" : "_all");
  return filled_sql(text, parameters);
}

void ClickhouseConnection::set_span(std::uint64_t first, std::uint64_t end,
                                    SqlParameters& parameters) const {
  parameters.values.emplace("first", first);
  parameters.values.emplace("end", end);
  parameters.names.emplace("in_span", filled(sql_statement("clickhouse", "in_span"), parameters));
}

/// Sends again while the server cannot be reached: statements and rows that are sent twice have the
/// effect of one. The first time, the user learns why nothing seems to happen.
Status ClickhouseConnection::repeat(const std::function<HttpOutcome()>& send) {
  const auto deadline = system_clock().now() + std::chrono::seconds(url_.retry_seconds);
  for (auto wait = kFirstWait;; wait = std::min(wait * 2, kMaxWait)) {
    const HttpOutcome outcome = send();
    if (outcome) {
      has_reported_wait_ = false;
      return {};
    }
    if (!outcome.may_be_repeated() || system_clock().now() + wait > deadline)
      return outcome.error();
    if (!has_reported_wait_ && notice_)
      notice_(fmt::format("{}; trying again for up to {} s", outcome.text, url_.retry_seconds));
    has_reported_wait_ = true;
    if (system_clock().wait_for(wait, {}) == Woken::kSignal) return outcome.error();
  }
}

Status ClickhouseConnection::send(ClickhouseHttp& shard, const std::string& sql) {
  return repeat([&] { return shard.send({sql, nullptr, {}}); });
}

Status ClickhouseConnection::run(ClickhouseHttp& shard, std::string_view name,
                                 SqlParameters parameters) {
  return send(shard, filled(sql_statement("clickhouse", name), std::move(parameters)));
}

Status ClickhouseConnection::run_all(ClickhouseHttp& shard, std::string_view text,
                                     const SqlParameters& parameters) {
  for (const std::string& statement : sql_statements(text))
    if (Status status = send(shard, filled(statement, parameters)); !status) return status;
  return {};
}

/// A replicated table would drop rows that were inserted before, even if they were removed since.
Status ClickhouseConnection::insert(ClickhouseHttp& shard, std::string_view name,
                                    SqlParameters parameters, RowSource& rows) {
  rows.restart();
  if (rows.next().empty()) return {};
  std::string sql = filled(sql_statement("clickhouse", name), std::move(parameters));
  while (!sql.empty() && sql.back() == '\n') sql.pop_back();
  return repeat([&] { return shard.send({sql, &rows, {{"insert_deduplicate", "0"}}}); });
}

Result<ClickhouseConnection::Rows> ClickhouseConnection::rows(ClickhouseHttp& shard,
                                                              std::string_view name,
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

Result<std::uint64_t> ClickhouseConnection::number(ClickhouseHttp& shard, std::string_view name,
                                                   SqlParameters parameters) {
  const auto found = rows(shard, name, std::move(parameters));
  if (!found) return found.error();
  return found->empty() ? 0 : number_at((*found)[0], 0);
}

/// A part of an answer is never enough: the server must neither leave out a shard that is down nor
/// send rows before it knows that there was no error.
HttpOutcome ClickhouseConnection::read(ClickhouseHttp& shard, const std::string& sql, Status& whole,
                                       const Store::TakeRow& take, std::mutex* taking) {
  Status taken;
  const Store::TakeRow take_row = [&](const Row& row) {
    Status status = take(row);
    if (!status) taken = status;
    return status;
  };
  ClickhouseAnswer answer(take_row);
  const HttpRequest request{sql,
                            nullptr,
                            {{"default_format", "JSONCompact"},
                             {"output_format_json_quote_64bit_integers", "0"},
                             {"skip_unavailable_shards", "0"},
                             {"max_block_size", kAnswerBlockRows},
                             {"max_query_size", "67108864"},
                             {"wait_end_of_query", "1"}}};
  HttpOutcome outcome = shard.send(request, [&](std::string_view piece) {
    const auto lock =
        taking == nullptr ? std::unique_lock<std::mutex>() : std::unique_lock(*taking);
    return answer.add(piece);
  });
  whole = Status();
  if (outcome.kind == HttpOutcome::Kind::kStopped) outcome = {};
  if (outcome) whole = answer.finish();
  if (!taken)
    whole = taken;
  else if (!whole)
    whole = Error{whole.error().kind, "store " + shard.host() + ": " + whole.error().text};
  return outcome;
}

Status ClickhouseConnection::mutate(ClickhouseHttp& shard, const std::vector<std::string>& tables,
                                    std::string_view section, SqlParameters parameters) {
  for (const std::string& table : tables) {
    parameters.names.insert_or_assign("table", table);
    if (Status status = run(shard, section, parameters); !status) return status;
  }
  return wait_for_mutations(shard, tables);
}

Result<std::uint64_t> ClickhouseConnection::last_mutations(ClickhouseHttp& shard,
                                                           const std::vector<std::string>& tables) {
  return number(shard, "last_mutations",
                {{}, {{"database", std::string_view(url_.database)}, {"tables", tables}}});
}

/// A server that got them goes on after a signal.
Status ClickhouseConnection::wait_for_mutations(ClickhouseHttp& shard,
                                                const std::vector<std::string>& tables) {
  const auto deadline = system_clock().now() + std::chrono::seconds(url_.timeout_seconds);
  const SqlParameters mutations{
      {}, {{"database", std::string_view(url_.database)}, {"tables", tables}}};
  for (;;) {
    const auto running = number(shard, "running_mutations", mutations);
    if (!running) return running.error();
    if (*running == 0) return {};
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

Result<std::uint64_t> ClickhouseConnection::expired_before() {
  std::uint64_t before = 0;
  for (ClickhouseHttp& shard : shards_) {
    const auto of_shard = number(shard, "expired_before", {});
    if (!of_shard) return of_shard.error();
    before = std::max(before, *of_shard);
  }
  return before;
}

}  // namespace physmem::fleet
