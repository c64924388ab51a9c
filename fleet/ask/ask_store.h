// SPDX-License-Identifier: MIT
// A question of a user → questions of the store → tables and charts.
#pragma once

#include "fleet/ask/answer.h"
#include "fleet/ask/asked.h"
#include "fleet/store/store.h"
#include "program/result.h"

namespace physmem::fleet {

Result<Answer> answer(Store& store, const Asked& asked);

}  // namespace physmem::fleet
