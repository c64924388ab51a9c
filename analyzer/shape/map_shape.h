// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analyzer/analyze/process/unit_map.h"
#include "analyzer/analyze/process/vma_map.h"
#include "analyzer/shape/shapes.h"
#include "analyzer/shape/view.h"

namespace physmem {

/// Figure 4: a heading for each process and area, the lines of the map, and the use of the
/// process's physical pages.
std::string process_heading(const Process& process);
std::string area_heading(const Area& area, const View& view);
PageMap::Line area_line(const Area& area, const MapLine& line, const View& view);
std::vector<std::string> process_use(const Process& process, const ProcessUse& use);
/// For people: the meaning of the signs, and sizes instead of pages.
std::vector<std::string> map_legend();
std::string area_sizes(const Area& area, const View& view);
std::vector<std::string> process_sizes(const Process& process, const ProcessUse& use,
                                       const View& view);
/// The same as rows, one per line of a map.
TableHead vma_map_head();
std::vector<Cell> vma_map_cells(const Process& process, const Area& area, const MapLine& line,
                                const View& view);

/// Figure 5.
std::string segment_heading(const UnitSegment& segment);
PageMap::Line segment_line(const UnitSegment& segment, const MapLine& line, const View& view);
TableHead unit_map_head();
std::vector<Cell> unit_map_cells(const UnitSegment& segment, const MapLine& line, const View& view);

}  // namespace physmem
