// SPDX-License-Identifier: MIT
// Statements to the shards of a store in ClickHouse, and their answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/store/clickhouse_http.h"
#include "fleet/store/clickhouse_sql.h"
#include "fleet/store/clickhouse_url.h"
#include "fleet/store/store.h"

namespace physmem::fleet {

/// Sections are named in fleet/sql/clickhouse/statements.sql. Statements and rows are sent again
/// while a server cannot be reached.
class ClickhouseConnection {
 public:
  using Rows = std::vector<Row>;
  using Shards = std::vector<ClickhouseHttp>;

  ClickhouseConnection(ClickhouseUrl url, Store::Notice notice);

  const ClickhouseUrl& url() const { return url_; }
  /// In the order of the URL, until ClickhouseSchema arranges them by their number.
  Shards& shards() { return shards_; }
  std::size_t shard_of(const std::string& machine) const;

  std::string filled(std::string_view text, SqlParameters parameters) const;
  /// Sets {in_span}: facts of the seconds from `first` to before `end`.
  void set_span(std::uint64_t first, std::uint64_t end, SqlParameters& parameters) const;

  Status send(ClickhouseHttp& shard, const std::string& sql);
  Status run(ClickhouseHttp& shard, std::string_view section, SqlParameters parameters);
  /// All statements of a text.
  Status run_all(ClickhouseHttp& shard, std::string_view text, const SqlParameters& parameters);
  Status insert(ClickhouseHttp& shard, std::string_view section, SqlParameters parameters,
                RowSource& rows);
  Result<Rows> rows(ClickhouseHttp& shard, std::string_view section, SqlParameters parameters);
  /// The first number of the answer; 0 if it has none.
  Result<std::uint64_t> number(ClickhouseHttp& shard, std::string_view section,
                               SqlParameters parameters);
  /// One answer of a server, which is not asked again. `whole`: whether all rows came. While rows
  /// are taken, `taking` is locked.
  static HttpOutcome read(ClickhouseHttp& shard, const std::string& sql, Status& whole,
                          const Store::TakeRow& take, std::mutex* taking = nullptr);

  /// A statement that changes or removes rows of each of the tables. Waits until the server has
  /// done it; rows that are inserted later stay.
  Status mutate(ClickhouseHttp& shard, const std::vector<std::string>& tables,
                std::string_view section, SqlParameters parameters);
  /// Grows with each such statement.
  Result<std::uint64_t> last_mutations(ClickhouseHttp& shard,
                                       const std::vector<std::string>& tables);

  /// Store::expired_before(): the highest, if only some of the shards were marked.
  Result<std::uint64_t> expired_before();

 private:
  Status repeat(const std::function<HttpOutcome()>& send);
  Status wait_for_mutations(ClickhouseHttp& shard, const std::vector<std::string>& tables);

  ClickhouseUrl url_;
  Store::Notice notice_;
  Shards shards_;
  bool has_reported_wait_ = false;
};

}  // namespace physmem::fleet
