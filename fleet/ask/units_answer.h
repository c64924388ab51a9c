// SPDX-License-Identifier: MIT
// Units over all machines: the same tables as physmem-analyze --fleet of their snapshots.
#pragma once

#include "fleet/ask/answer.h"
#include "fleet/ask/selected.h"

namespace physmem::fleet {

Result<Answer> units_answer(Store& store, const Selected& selected);

}  // namespace physmem::fleet
