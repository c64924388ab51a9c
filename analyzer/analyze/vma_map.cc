// SPDX-License-Identifier: MIT
#include "analyzer/analyze/vma_map.h"

#include <algorithm>
#include <utility>

namespace physmem {

void VmaMap::on_area(const Process& process, const Area& area) {
  sink_.area(process, area);
  lines_.emplace(area.virtual_pages,
                 [this, &process, &area](const MapLine& line) { sink_.line(process, area, line); });
}

void VmaMap::on_pages(const Process&, const Area& area, const PageBatch& batch) {
  const unsigned shift = header_.page_size.shift();
  for (std::size_t i = 0; i < batch.size; ++i) {
    lines_->put((batch.va[i] - area.vma.start) >> shift, map_cell(batch.count[i]));
    ++use_.by_mappings[std::min<std::uint64_t>(batch.count[i], 10)];
  }
}

void VmaMap::on_area_end(const Process&, const Area& area) {
  if (header_.has_pages) lines_->finish();
  lines_.reset();
  use_.resident += area.tally.resident();
  use_.single += area.tally.single();
  use_.swapped += area.tally.swapped;
}

void VmaMap::on_process(const Process& process) {
  const ProcessUse use = std::exchange(use_, {});
  if (!process.areas.empty()) sink_.process_end(process, use);
}

}  // namespace physmem
