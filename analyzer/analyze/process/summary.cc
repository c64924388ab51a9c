// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/summary.h"

namespace physmem {

void Summary::on_header(const Header& header) {
  header_ = header;
  pages_.on_header(header);
  alerts_.on_header(header);
  ledger_.on_header(header);
  sizes_.clear();
}

void Summary::on_area_end(const Process& process, const Area& area) {
  pages_.on_area_end(process, area);
}

void Summary::on_process(const Process& process) {
  if (process.is_kernel_thread()) {
    ++kernel_threads_;
  } else {
    ++processes_;
    threads_ += process.threads;
    kernel_threads_ -= process.has_ended_leader ? 1 : 0;
  }
  for (const Area& area : process.areas) {
    regions_[static_cast<std::size_t>(area.regions.file)] += area.tally.file.first_seen;
    regions_[static_cast<std::size_t>(area.regions.anon)] += area.tally.anon.first_seen;
    regions_[static_cast<std::size_t>(Region::kSpecial)] += area.tally.special_first_seen;
    slots_ += area.tally.slots;
    in_unknown_slots_ += area.tally.swapped - area.tally.slots.entries();
  }
  if (process.areas.empty())
    in_unknown_slots_ += sizes_.of(process.pid()).swap.value_or(0) * 1024 / header_.page_size.bytes;
  basic_.on_process(process);
  units_.on_process(process);
  alerts_.on_process(process);
}

}  // namespace physmem
