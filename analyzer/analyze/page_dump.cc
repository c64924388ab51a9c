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
  const std::uint64_t page_bytes = header_.page_size.bytes;
  constexpr std::size_t kAhead = 8;  // runs are far apart in RAM
  for (std::size_t next = 0; next < runs.size(); ++next) {
    const PageRun& run = runs[next];
    if (next + kAhead < runs.size()) frames_.prefetch(header_.frame(runs[next + kAhead].value));
    // The bits beside the address are the same in the whole run, unless it is made up and runs over them.
    const std::uint64_t bits = run.value & ~header_.phys_mask;
    const bool is_alike = (run.value_behind(page_bytes) & ~header_.phys_mask) == bits &&
                          run.value_behind(page_bytes) > run.value;
    for (std::uint64_t i = 0; i < run.pages; ++i) {
      const std::uint64_t value = run.value + i * page_bytes;
      Cell& cell = frames_[header_.frame(value)];
      if (cell.owner != 0) continue;
      cell = {owner_, state_number({is_alike ? bits : value & ~header_.phys_mask, run.flags, run.count})};
    }
  }
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
      visit({(first + i) << header_.page_size.shift(), pte_flags, vma_flags, page_flags, count, owner,
             std::uint64_t{cells[i].owner} << 32 | cells[i].state});
    }
  });
}

}  // namespace physmem
