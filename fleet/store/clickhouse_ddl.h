// SPDX-License-Identifier: MIT
// The tables of a store in ClickHouse.
#pragma once

#include <string>
#include <vector>

#include "fleet/store/clickhouse_url.h"

namespace physmem::fleet {

/// Statements without their semicolons, which each shard runs in this order. Of a store without a
/// cluster, none is of a distributed table.
std::vector<std::string> clickhouse_ddl(const ClickhouseUrl& url);

}  // namespace physmem::fleet
