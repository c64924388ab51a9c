// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/time/leak_search.h"
#include "analyzer/analyze/time/ram_leak_judge.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// The leaks. With --full, every time series, with the reason if it is not a leak. `rows` are those
/// of the search.
Table leaks_table(const LeakSearch& search, const std::vector<LeakRow>& rows, const View& view);

/// One sentence per leak, or a sentence that there is none, with what was examined. A leaking
/// region represents its areas. `ram` are the rows of the whole of RAM, if it was searched.
std::vector<std::string> leaks_text(const LeakSearch& search, const std::vector<LeakRow>& rows,
                                    const std::vector<RamLeakRow>& ram, const View& view);

/// Sentences on what is missing from the answer.
std::vector<std::string> leaks_missing(const LeakSearch& search);

/// Pages over time with fitted lines: of the leaks, or without any, of the fastest growth.
Series leaks_series(const LeakSearch& search, const std::vector<LeakRow>& rows,
                    const std::vector<RamLeakRow>& ram, const View& view);

}  // namespace physmem
