// SPDX-License-Identifier: MIT
// Sums of days, and expiry, of a store in ClickHouse.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "fleet/store/clickhouse_connection.h"

namespace physmem::fleet {

class ClickhouseDays {
 public:
  explicit ClickhouseDays(ClickhouseConnection& connection) : connection_(connection) {}

  /// Store::rollup() and Store::expire().
  Result<std::uint64_t> rollup(std::uint64_t before);
  Result<std::uint64_t> expire(std::uint64_t before);
  /// Removes the sums of days whose snapshots change: from then on, questions read facts.
  Status remove_sums(ClickhouseHttp& shard, const std::set<std::uint64_t>& days);

 private:
  Result<std::vector<std::uint64_t>> sum_days(ClickhouseHttp& shard, std::uint64_t before);
  Status sum_day(ClickhouseHttp& shard, std::uint64_t day, std::uint64_t snapshots);
  Status add_sums(ClickhouseHttp& shard, std::uint64_t day, std::uint64_t snapshots);
  Status mark_day(ClickhouseHttp& shard, std::uint64_t day, std::uint64_t snapshots);
  Status sum_trend(std::uint64_t before);
  Status drop_old(ClickhouseHttp& shard, std::uint64_t before);

  ClickhouseConnection& connection_;
};

}  // namespace physmem::fleet
