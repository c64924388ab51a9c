// SPDX-License-Identifier: MIT
// Units over all machines.
#pragma once

#include "fleet/ask/answer.h"
#include "fleet/ask/asked.h"
#include "fleet/ask/selected.h"
#include "fleet/store/store.h"
#include "program/result.h"

namespace physmem::fleet {

/// The same tables as physmem-analyze --fleet of these snapshots.
Result<Answer> units_answer(Store& store, const Selected& selected, const Asked& asked);
Result<Answer> trend_answer(Store& store, const Selected& selected, const Asked& asked);

}  // namespace physmem::fleet
