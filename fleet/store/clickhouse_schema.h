// SPDX-License-Identifier: MIT
// The tables of a store in ClickHouse, on each of its shards.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "fleet/store/clickhouse_connection.h"
#include "fleet/store/store.h"

namespace physmem::fleet {

class ClickhouseSchema {
 public:
  explicit ClickhouseSchema(ClickhouseConnection& connection) : connection_(connection) {}

  /// Arranges the shards of the connection by their number. Rejects a URL that does not name each
  /// shard once, and tables of another version.
  Status find_shards(StoreAccess access);
  /// Creates the tables that are missing.
  Status create();

 private:
  using Rows = ClickhouseConnection::Rows;

  Status check_cluster();
  Status check_version();
  Result<bool> has_version(ClickhouseHttp& shard);
  Result<bool> has_table(ClickhouseHttp& shard, std::string_view table);
  Result<std::optional<std::size_t>> number_of(ClickhouseHttp& shard);
  Result<std::optional<std::size_t>> place_in_cluster(ClickhouseHttp& shard);
  Result<std::optional<std::size_t>> marked_number(ClickhouseHttp& shard, const Rows& marks);
  Status arrange_shards();
  Status mark_shard(ClickhouseHttp& shard, std::size_t number);
  Status mark_version(ClickhouseHttp& shard);
  Result<bool> is_complete(ClickhouseHttp& shard);

  ClickhouseConnection& connection_;
};

}  // namespace physmem::fleet
