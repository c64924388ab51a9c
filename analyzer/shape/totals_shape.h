// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "analyzer/analyze/unit_totals.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// Names of units, no two of them the same: paths. A library that was replaced while processes map
/// the old one has two files of one path, which have device and inode as well.
std::vector<std::string> unit_labels(const std::vector<UnitTotalsRow>& rows);
Table totals_table(const std::vector<UnitTotalsRow>& rows, const View& view);
/// Figure 6: one bar a unit; the virtual view has a physical bar beside it.
BarChart totals_chart(const std::vector<UnitTotalsRow>& rows, const View& view);

}  // namespace physmem
