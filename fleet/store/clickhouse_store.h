// SPDX-License-Identifier: MIT
// A store in one ClickHouse server, or in the shards of a cluster.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "fleet/store/store.h"

namespace physmem::fleet {

/// Defined in no_clickhouse.cc if libcurl is not available.
Result<std::unique_ptr<Store>> open_clickhouse(const std::string& url, StoreAccess access,
                                               Store::Notice notice);

}  // namespace physmem::fleet
