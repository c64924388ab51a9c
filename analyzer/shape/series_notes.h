// SPDX-License-Identifier: MIT
// Sentences for the user on what is missing from a series of snapshots.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analyze/series_order.h"

namespace physmem {

/// `consequence`: for snapshots that do not follow the one before.
std::vector<std::string> series_notes(const SeriesOrder& order,
                                      std::string_view consequence = "so not compared with it");

/// "board-7", or "unknown host".
std::string host_text(const std::string& host);

}  // namespace physmem
