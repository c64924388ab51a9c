// SPDX-License-Identifier: MIT
// One function for each question of the fleet (questions.cc has the table).
#pragma once

#include "fleet/ask/answer.h"
#include "fleet/ask/asked.h"
#include "fleet/ask/selected.h"
#include "fleet/store/store.h"
#include "program/result.h"

namespace physmem::fleet {

/// The latest snapshot of each host.
Result<Answer> hosts_answer(Store& store, const Selected& selected, const Asked& asked);
/// The snapshots that the archive has.
Result<Answer> snapshots_answer(Store& store, const Selected& selected, const Asked& asked);
/// Units over all hosts: the same tables as physmem-analyze --fleet of these snapshots.
Result<Answer> units_answer(Store& store, const Selected& selected, const Asked& asked);
/// Units over all hosts, day by day.
Result<Answer> trend_answer(Store& store, const Selected& selected, const Asked& asked);
/// Units of each host: the time of `selected`, compared with the time before `asked.before`.
Result<Answer> changes_answer(Store& store, const Selected& selected, const Asked& asked);
/// The question about the earlier time.
Asked before_change(const Asked& asked);
/// Which alerts opened, closed, and are open.
Result<Answer> alerts_answer(Store& store, const Selected& selected, const Asked& asked);
/// Processes whose memory grows.
Result<Answer> leaks_answer(Store& store, const Selected& selected, const Asked& asked);
/// Snapshots that are missing, and hosts that are late.
Result<Answer> gaps_answer(Store& store, const Selected& selected, const Asked& asked);

}  // namespace physmem::fleet
