// SPDX-License-Identifier: MIT
// Units over all machines.
#pragma once

#include "fleet/ask/answer.h"
#include "fleet/ask/selected.h"

namespace physmem::fleet {

/// The same tables as physmem-analyze --fleet of these snapshots.
Result<Answer> units_answer(Store& store, const Selected& selected, const Asked& asked);
/// Compares the time since `asked.since` with the time before `asked.before`.
Result<Answer> changes_answer(Store& store, const Selected& selected, const Asked& asked);
Result<Answer> trend_answer(Store& store, const Selected& selected, const Asked& asked);

}  // namespace physmem::fleet
