// SPDX-License-Identifier: MIT
// Which alerts opened, closed, and are open.
#pragma once

#include "fleet/ask/answer.h"
#include "fleet/ask/asked.h"
#include "fleet/ask/selected.h"
#include "fleet/store/store.h"
#include "program/result.h"

namespace physmem::fleet {

Result<Answer> alerts_answer(Store& store, const Selected& selected, const Asked& asked);

}  // namespace physmem::fleet
