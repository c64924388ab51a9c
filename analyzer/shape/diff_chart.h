// SPDX-License-Identifier: MIT
// --ask diff as pictures: a bar before and a bar after, with what came and what went.
#pragma once

#include "analyzer/analyze/diff/ram_diff.h"
#include "analyzer/analyze/diff/snapshot_diff.h"
#include "analyzer/analyze/diff/totals_diff.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/use_shape.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// Processes with a change, the largest change of size first.
BarChart process_changes_chart(const SnapshotDiff& diff, const UseView& use, const View& view);

/// The classes of RAM with a change. Which frames of a class stayed is not known, so that a class
/// either came or went.
BarChart class_changes_chart(const RamDiff& diff, const View& view);
/// The same by the kernel's totals, without the frames of RAM.
BarChart totals_changes_chart(const TotalsDiff& diff, const View& view);

}  // namespace physmem
