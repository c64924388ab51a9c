// SPDX-License-Identifier: MIT
// The state of a machine in a few lines.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/alerts.h"
#include "analyzer/analyze/memory_totals.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// RAM as one bar.
ShareBar memory_bar(const MemoryTotals& totals);
/// The same as a table.
Table memory_table(const MemoryTotals& totals);
/// The letters of the bar with sizes, in two lines, then RAM and swap.
std::vector<std::string> memory_lines(const MemoryTotals& totals);
/// "host: Linux 6.1.0 (x86_64), 2026-11-20T14:03:12Z, up 3 d 4 h".
std::string machine_line(const Header& header);
/// "26 areas with private code …".
std::string alerts_line(const Alerts& alerts);

}  // namespace physmem
