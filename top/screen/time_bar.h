// SPDX-License-Identifier: MIT
// Moments of a recording: finding them, and a bar of all of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "program/moment.h"
#include "program/result.h"
#include "top/model/history.h"
#include "top/screen/styled.h"
#include "top/screen/view.h"

namespace physmem::top {

/// The last sample up to this time (index_at).
Result<std::size_t> sample_at(const History& history, const Moment& moment);

/// The next sample, forward or back, at which the level of thrashing rises to R (recovering) or
/// more. Nothing if there is none.
std::optional<std::size_t> next_event(const History& history, std::size_t index, bool is_back);

/// "22:00 [..--..2345R...] 06:00": the highest level in each part of the time, a letter each. The
/// part of the sample that is shown is selected.
Line time_bar(const History& history, std::size_t index, std::size_t columns);

}  // namespace physmem::top
