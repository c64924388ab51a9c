// SPDX-License-Identifier: MIT
#include "analyzer/analyze/page_dump.h"

namespace physmem {

void PageDump::on_area(const Process& process, const Area& area) {
  const bool has_unit = !area.marks.owner.empty() && !area.marks.owner.starts_with('[');
  Owner owner{has_unit ? area.marks.owner.text() : process.task.comm, area.marks.flags};
  const auto [it, is_new] = owner_numbers_.try_emplace(owner, static_cast<std::uint32_t>(owners_.size()));
  if (is_new) owners_.push_back(std::move(owner));
  owner_ = it->second + 1;
}

void PageDump::on_pages(const Process&, const Area&, std::span<const PageRun> runs) {
  for_each_page(runs, header_.page_size.bytes, [&](const PageRun& page) {
    Cell& cell = frames_[header_.frame(page.value)];
    if (cell.owner != 0) return;
    cell = {owner_, state_number({page.value & ~header_.phys_mask, page.flags, page.count})};
  });
}

std::uint32_t PageDump::state_number(const State& state) {
  if (!states_.empty() && state == last_state_)
    return last_state_number_;  // pages that follow each other are alike
  const auto [it, is_new] = state_numbers_.try_emplace(state, static_cast<std::uint32_t>(states_.size()));
  if (is_new) states_.push_back(state);
  last_state_ = state;
  return last_state_number_ = it->second;
}

void PageDump::for_each(const std::function<void(const PageRow&)>& visit) const {
  frames_.for_each_chunk([&](std::uint64_t first, const auto& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i].owner == 0) continue;
      const auto& [pte_flags, page_flags, count] = states_[cells[i].state];
      const auto& [owner, vma_flags] = owners_[cells[i].owner - 1];
      visit({(first + i) << header_.page_size.shift(), pte_flags, vma_flags, page_flags, count, owner});
    }
  });
}

}  // namespace physmem
