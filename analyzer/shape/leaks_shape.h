// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/leak_search.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// The leaks; with --full every trajectory, and why it is none. `rows` are those of the search.
Table leaks_table(const LeakSearch& search, const std::vector<LeakRow>& rows, const View& view);

/// A sentence a leak, or that there is none and what was looked at. A region that leaks stands for
/// its areas.
std::vector<std::string> leaks_text(const LeakSearch& search, const std::vector<LeakRow>& rows,
                                    const View& view);

/// What keeps the answer from being whole.
std::vector<std::string> leaks_missing(const LeakSearch& search);

/// Pages over time, with the lines fitted to them: of what leaks, or, when nothing does, of what
/// grew most.
Series leaks_series(const LeakSearch& search, const std::vector<LeakRow>& rows, const View& view);

}  // namespace physmem
