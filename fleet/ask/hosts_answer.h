// SPDX-License-Identifier: MIT
// Questions about the latest snapshots, and about those in the archive.
#pragma once

#include "fleet/ask/answer.h"
#include "fleet/ask/asked.h"
#include "fleet/ask/selected.h"
#include "fleet/store/store.h"
#include "program/result.h"

namespace physmem::fleet {

Result<Answer> hosts_answer(Store& store, const Selected& selected, const Asked& asked);
/// Those that the archive has.
Result<Answer> snapshots_answer(Store& store, const Selected& selected, const Asked& asked);

}  // namespace physmem::fleet
