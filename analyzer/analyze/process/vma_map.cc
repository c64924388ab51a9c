// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/vma_map.h"

#include <algorithm>
#include <utility>

namespace physmem {

void VmaMap::on_area(const Process&, const Area& area) {
  lines_.emplace(area.virtual_pages, [this](const MapLine& line) { kept_.push_back(line); });
}

void VmaMap::on_pages(const Process&, const Area& area, std::span<const PageRun> runs) {
  const unsigned shift = header_.page_size.shift();
  for (const PageRun& run : runs) {
    const std::uint64_t first = (run.va - area.vma.start) >> shift;
    const char cell = map_cell(run.count);
    for (std::uint64_t i = 0; i < run.pages; ++i) lines_->put(first + i, cell);
    use_.by_mappings[std::min<std::uint64_t>(run.count, 10)] += run.pages;
  }
}

void VmaMap::on_area_end(const Process& process, const Area& area) {
  if (header_.has_pages) lines_->finish();
  lines_.reset();
  sink_.area(process, area);
  for (const MapLine& line : kept_) sink_.line(process, area, line);
  kept_.clear();
  use_.resident += area.tally.resident();
  use_.single += area.tally.single();
  use_.shared += area.tally.shared();
  use_.swapped += area.tally.swapped;
}

void VmaMap::on_process(const Process& process) {
  const ProcessUse use = std::exchange(use_, {});
  if (!process.areas.empty()) sink_.process_end(process, use);
}

}  // namespace physmem
