// SPDX-License-Identifier: MIT
// Snapshots of hosts whose clocks are ahead.
#pragma once

#include <string>

#include "fleet/ask/asked.h"
#include "fleet/store/store.h"
#include "program/result.h"

namespace physmem::fleet {

/// A note that names hosts with snapshots after Asked::present(), which do not count; empty if
/// there is none, or if they count.
Result<std::string> note_on_later_snapshots(Store& store, const Asked& asked);

}  // namespace physmem::fleet
