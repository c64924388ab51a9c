// SPDX-License-Identifier: MIT
// Single frames: the use, the owner and the mappings of each.
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/ram/frame_lookup.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// Some lines for each frame.
std::vector<std::string> frame_lines(const FrameLookup& lookup, PageSize page_size);

/// A row for each frame.
Table frames_table(const FrameLookup& lookup, PageSize page_size);

/// A row for each page-table entry that points to one of them.
Table frame_mappings_table(const FrameLookup& lookup, const View& view);

}  // namespace physmem
