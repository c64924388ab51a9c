// SPDX-License-Identifier: MIT
// Growth in words and columns, the same for processes and for the whole of RAM.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/analyze/time/leak_search.h"
#include "analyzer/analyze/time/leak_verdict.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

std::string confidence_name(Confidence confidence);
std::string reason_name(LeakReason reason);

/// "50.0 s", "2 steps".
std::string span_text(const LeakSearch& search, double span);

/// Seconds until available memory is used up at this rate (pages per second).
std::optional<double> seconds_left(const LeakSearch& search, double rate, const View& view);
/// "; available memory lasts 2.8 h at that rate", or nothing.
std::string left_text(std::optional<double> seconds);

/// "79.8 ± 1.29 KiB/s, 3.9 MiB in 50.0 s, 6 snapshots".
std::string growth_text(const LeakSearch& search, const LeakVerdict& verdict, double span,
                        const View& view);
/// Why the confidence is as it is.
std::string verdict_grounds(const LeakVerdict& verdict);

/// TableHead::spare of tables with these columns and verdict_columns().
std::vector<std::string> spare_growth_columns(const LeakSearch& search);
/// Columns from Samples to Confidence, and their cells.
std::vector<Column> growth_columns(const LeakSearch& search);
std::vector<Cell> growth_cells(const LeakVerdict& verdict, const std::vector<double>& pages,
                               std::optional<double> seconds_left, const View& view);
/// Columns of --full, from Verdict on, and their cells.
std::vector<Column> verdict_columns(const LeakSearch& search);
std::vector<Cell> verdict_cells(const LeakVerdict& verdict, const View& view);

}  // namespace physmem
