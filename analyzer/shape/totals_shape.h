// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "analyzer/analyze/process/unit_totals.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// Unique names of units: paths. If a library was replaced while processes map the old file, two
/// files have the same path; device and inode are then added.
std::vector<std::string> unit_labels(const std::vector<UnitTotalsRow>& rows);
Table totals_table(const std::vector<UnitTotalsRow>& rows, const View& view);
/// Figure 6: one bar per unit. The virtual view adds a physical bar.
BarChart totals_chart(const std::vector<UnitTotalsRow>& rows, const View& view);

}  // namespace physmem
