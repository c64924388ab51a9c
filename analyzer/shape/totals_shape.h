// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "analyzer/analyze/unit_totals.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

Table totals_table(const std::vector<UnitTotalsRow>& rows, const View& view);
/// Figure 6: one bar a unit; the virtual view has a physical bar beside it.
BarChart totals_chart(const std::vector<UnitTotalsRow>& rows, const View& view);

}  // namespace physmem
