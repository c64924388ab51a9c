// SPDX-License-Identifier: MIT
// Units per host, before and after a time.
#pragma once

#include "fleet/ask/answer.h"
#include "fleet/ask/asked.h"
#include "fleet/ask/selected.h"
#include "fleet/store/store.h"
#include "program/result.h"

namespace physmem::fleet {

/// The question about the earlier time.
Asked before_change(const Asked& asked);

/// Compares the time of `selected` with the time before `asked.before`.
Result<Answer> changes_answer(Store& store, const Selected& selected, const Asked& asked);

}  // namespace physmem::fleet
