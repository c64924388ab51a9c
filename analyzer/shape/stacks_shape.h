// SPDX-License-Identifier: MIT
// Pages of processes as folded stacks, the input of flamegraph.pl and speedscope.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/process/memory_stacks.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// What a stack counts.
enum class StackWeight {
  kPss,  ///< each page divided by its mappings
  kRss,
};

/// Lines "host;cgroup;process (pid);region;unit PAGES". In a frame, `;`, `\` and newline are
/// written as \ooo.
///
/// Shares are rounded so that the sum of the lines is the sum of the shares, rounded: a line is the
/// difference of two rounded sums. So it is less than a page off, and a line of no page is left
/// out.
std::vector<std::string> folded_lines(const MemoryStacks& stacks, StackWeight weight,
                                      bool with_time, const View& view);

/// The same as rows, with all weights.
Table folded_table(const MemoryStacks& stacks, const View& view);

}  // namespace physmem
