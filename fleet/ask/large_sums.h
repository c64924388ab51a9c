// SPDX-License-Identifier: MIT
// Sums that are too large (fleet/model/limits.h), and the machines that have them. A machine can
// report the largest sizes any number of times; all others must keep their answers.
#pragma once

#include <map>
#include <string>

#include "fleet/ask/asked.h"
#include "fleet/store/store.h"
#include "program/result.h"

namespace physmem::fleet {

/// Store::ask(), which ends with an error at a sum that is too large.
Status ask_sums(Store& store, Question question, const Selection& selection,
                const Store::TakeRow& take);
/// Whether an error is that of ask_sums().
bool is_too_large_sum(const Error& error);

/// The machines whose own sums are too large, of the sums that the question needs. Their hosts
/// (HostLabels), by machine.
Result<std::map<std::string, std::string>> machines_of_large_sums(Store& store, const Asked& asked);

}  // namespace physmem::fleet
