// SPDX-License-Identifier: MIT
#include "analyzer/analyze/page_dump.h"

namespace physmem {

void PageDump::on_area(const Process& process, const Area& area) {
  const bool has_unit = !area.marks.owner.empty() && !area.marks.owner.starts_with('[');
  const std::string& name = has_unit ? area.marks.owner.text() : process.task.comm;
  Owner& owner = owners_[name][area.marks.flags];
  if (owner.name.empty()) owner = {name, area.marks.flags};
  owner_ = &owner;
}

void PageDump::on_pages(const Process&, const Area&, std::span<const PageRun> runs) {
  const std::uint64_t page_bytes = header_.page_size.bytes;
  const std::uint64_t linear_frames = header_.linear_frames();
  const auto ask = [&](const PageRun& run) { frames_.prefetch(header_.frame(run.value)); };
  for_each_asked_ahead(runs, ask, [&](const PageRun& run) {
    const bool is_linear = header_.frame(run.value) + run.pages <= linear_frames;
    const std::uint64_t pieces = is_linear ? 1 : run.pages;
    for (std::uint64_t i = 0; i < pieces; ++i) {
      const std::uint64_t value = run.value + i * page_bytes;
      frames_.for_each_stretch(header_.frame(value), run.pages / pieces, [&](std::span<Cell> cells) {
        put(cells, {owner_, value & ~header_.phys_mask, run.flags, run.count});
      });
    }
  });
}

/// Frames that have an owner keep it.
void PageDump::put(std::span<Cell> cells, const Kind& kind) {
  Cell mine = 0;
  for (Cell& cell : cells) {
    if (cell != 0) continue;
    if (mine == 0) mine = cell_of(kind);
    cell = mine;
  }
}

std::size_t PageDump::HashOf::operator()(const Kind& kind) const {
  std::uint64_t hash = std::hash<const void*>()(kind.owner);
  for (const std::uint64_t part : {kind.pte_flags, kind.page_flags, kind.count})
    hash = (hash ^ part) *
           0x9E3779B97F4A7C15u;  // 2^64 / golden ratio: every bit of a part changes the upper ones
  return hash ^ hash >> 32;
}

PageDump::Cell PageDump::cell_of(const Kind& kind) {
  if (!kinds_.empty() && kind == kinds_.back()) return static_cast<Cell>(kinds_.size());
  const auto [known, is_new] = cells_.try_emplace(kind, static_cast<Cell>(kinds_.size() + 1));
  if (is_new) kinds_.push_back(kind);
  return known->second;
}

void PageDump::for_each(const std::function<void(const PageRow&)>& visit) const {
  frames_.for_each_chunk([&](std::uint64_t first, const auto& cells) {
    std::size_t behind = 0;
    for (std::size_t i = 0; i < cells.size(); i = behind) {
      behind = i + 1;
      if (cells[i] == 0) continue;
      while (behind < cells.size() && cells[behind] == cells[i]) ++behind;
      const Kind& kind = kinds_[cells[i] - 1];
      visit({(first + i) << header_.page_size.shift(), kind.pte_flags, kind.owner->vma_flags, kind.page_flags,
             kind.count, kind.owner->name, cells[i] - 1, behind - i});
    }
  });
}

}  // namespace physmem
