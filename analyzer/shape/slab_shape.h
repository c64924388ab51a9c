// SPDX-License-Identifier: MIT
// Slab caches as tables and as bars.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/analyze/ram/slab_use.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// Caches in the last snapshot, the largest first, and their sum. Those after `max_rows` are one
/// row.
Table slab_table(const SlabUse& slab, const View& view, std::size_t max_rows);

/// The same with their pages in the first snapshot, the largest change first. If there are more
/// than `max_rows`, those that did not change are in the last row, too.
Table slab_growth_table(const SlabUse& slab, const View& view, std::size_t max_rows);

/// The largest caches.
BarChart slab_chart(const SlabUse& slab, const View& view, std::size_t rows);

/// Pages of those caches of a series that changed most, over time.
Series slab_growth_series(const SlabUse& slab, const View& view);

/// Sentences on missing data.
std::vector<std::string> slab_missing(const SlabUse& slab);

}  // namespace physmem
