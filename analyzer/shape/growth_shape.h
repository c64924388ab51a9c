// SPDX-License-Identifier: MIT
// What grew between two snapshots, as tables for people.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/analyze/diff/snapshot_diff.h"
#include "analyzer/analyze/diff/totals_diff.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/use_shape.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// Rows of a table, unless the user has chosen another number.
inline constexpr std::size_t kGrowthRows = 10;

/// Sorts what grew first, then what shrank, then the rest; the largest change first.
inline auto growth_key(std::uint64_t before, std::uint64_t after, std::uint64_t touched) {
  const std::uint64_t size = after > before ? after - before : before - after;
  return std::tuple(after > before ? 0 : after < before ? 1 : 2, ~size, ~touched);
}

/// Totals, processes and files; with --full, areas.
std::vector<Table> growth_tables(const SnapshotDiff& diff, const UseView& use, const View& view);
/// Lines on the parts of RAM that changed, without its frames.
std::vector<std::string> totals_growth(const TotalsDiff& diff);

}  // namespace physmem
