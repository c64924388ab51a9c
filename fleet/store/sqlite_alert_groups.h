// SPDX-License-Identifier: MIT
// Alerts of one machine at a time: which opened, closed, and are open.
#pragma once

#include <memory>

#include "fleet/store/sqlite_groups.h"

namespace physmem::fleet {

std::unique_ptr<FactGroups> alert_groups();

}  // namespace physmem::fleet
