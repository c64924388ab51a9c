// SPDX-License-Identifier: MIT
// What a series of snapshots lacks: sentences for the user.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/series_order.h"

namespace physmem {

std::vector<std::string> series_notes(const SeriesOrder& order);

/// "board-7", or "unknown host".
std::string host_text(const std::string& host);

}  // namespace physmem
