// SPDX-License-Identifier: MIT
// Takes the place of the sources that require libcurl if it is not available.
#include "fleet/store/clickhouse_store.h"

namespace physmem::fleet {

Result<std::unique_ptr<Store>> open_clickhouse(const std::string& /*url*/, StoreAccess /*access*/,
                                               Store::Notice /*notice*/) {
  return Error{Error::Kind::kUsage,
               "this physmem-fleet was built without libcurl, which stores on ClickHouse require"};
}

}  // namespace physmem::fleet
