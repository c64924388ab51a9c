// SPDX-License-Identifier: MIT
// Removal of what chosen machines have reported from ClickHouse. Each statement has the same effect
// when it is sent again, and the server completes it after a kill of this program.
#pragma once

#include <cstdint>
#include <set>

#include "fleet/store/clickhouse_connection.h"
#include "fleet/store/clickhouse_days.h"
#include "fleet/store/store.h"

namespace physmem::fleet {

class ClickhouseRemoval {
 public:
  ClickhouseRemoval(ClickhouseConnection& connection, ClickhouseDays& days)
      : connection_(connection), days_(days) {}

  /// Store::remove().
  Result<bool> remove(const Selection& selection);

 private:
  Status remove(ClickhouseHttp& shard, const SqlParameters& parameters);
  Status remove_sums(ClickhouseHttp& shard, const SqlParameters& parameters,
                     std::set<std::uint64_t>& days);

  ClickhouseConnection& connection_;
  ClickhouseDays& days_;
};

}  // namespace physmem::fleet
