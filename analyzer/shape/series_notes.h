// SPDX-License-Identifier: MIT
// Sentences for the user on what is missing from a series of snapshots.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/series_order.h"

namespace physmem {

std::vector<std::string> series_notes(const SeriesOrder& order);

/// "board-7", or "unknown host".
std::string host_text(const std::string& host);

}  // namespace physmem
