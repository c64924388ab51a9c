// SPDX-License-Identifier: MIT
// Questions about machines and their snapshots.
#pragma once

#include "fleet/ask/answer.h"
#include "fleet/ask/selected.h"

namespace physmem::fleet {

Result<Answer> hosts_answer(Store& store, const Selected& selected, const Asked& asked);
Result<Answer> gaps_answer(Store& store, const Selected& selected, const Asked& asked);
/// Those that the archive has.
Result<Answer> snapshots_answer(Store& store, const Selected& selected, const Asked& asked);

}  // namespace physmem::fleet
