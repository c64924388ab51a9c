// SPDX-License-Identifier: MIT
// Reports into ClickHouse. They stay in memory until there are many (see clickhouse_batch.h). Rows
// go to the shard of their machine, facts first and the lines of `snapshots` last, and questions
// count facts with such a line only. Rows have keys that replace each other, so what was sent twice
// counts once.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/store/clickhouse_batch.h"
#include "fleet/store/clickhouse_connection.h"
#include "fleet/store/clickhouse_days.h"
#include "fleet/store/store.h"

namespace physmem::fleet {

/// The methods have the same meaning as in Store.
class ClickhouseWriter {
 public:
  ClickhouseWriter(ClickhouseConnection& connection, ClickhouseDays& days)
      : connection_(connection), days_(days), batches_(connection.shards().size()) {}

  Result<std::set<std::string>> known(const std::vector<std::string>& keys);
  Status add(std::span<const Report> batch);
  bool is_full() const;
  Result<std::uint64_t> flush(bool leaves_out_known);
  /// Their lines in `snapshots` are inserted again.
  Status set_kept(std::span<const KeptSnapshot> kept);
  Status forget_kept(std::uint64_t before);

 private:
  struct Stored {
    std::string key;
    SnapshotKey place;
  };

  Result<std::vector<Stored>> stored(ClickhouseHttp& shard, const SqlParameters& parameters);
  Status send(ClickhouseHttp& shard, const ClickhouseBatch& batch);
  Status replace(ClickhouseHttp& shard, const ClickhouseBatch& batch,
                 const std::vector<SnapshotKey>& replaced);
  Status run_by_days(ClickhouseHttp& shard, std::string_view days, std::string_view section,
                     const SqlParameters& parameters);

  ClickhouseConnection& connection_;
  ClickhouseDays& days_;
  std::vector<ClickhouseBatch> batches_;  ///< of each shard
};

}  // namespace physmem::fleet
