// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "analyzer/analyze/process/basic.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// The fourteen columns of figure 2, then the PID with View::names_pids; all of them with
/// View::is_full.
Table basic_table(const std::vector<BasicRow>& rows, const View& view);
/// Figure 3: one bar per process with memory, the largest first. The virtual view adds a physical
/// bar.
BarChart basic_chart(const std::vector<BasicRow>& rows, const View& view);

}  // namespace physmem
