// SPDX-License-Identifier: MIT
// Sentences for the user on what is missing from a series of snapshots.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analyze/series_order.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// `consequence`: for snapshots that do not follow the one before.
std::vector<std::string> series_notes(const SeriesOrder& order,
                                      std::string_view consequence = "so not compared with it");

/// The axis of x in seconds since the first snapshot. It has local times if the last snapshot,
/// which `view` is of and which is `last` seconds later, has a time.
void set_time_axis(Series& series, const View& view, double last);

/// Makes MiB of pages, and says so at the axis.
void set_mib_axis(Series::Panel& panel, const View& view);

/// "board-7", or "unknown host".
std::string host_text(const std::string& host);

}  // namespace physmem
