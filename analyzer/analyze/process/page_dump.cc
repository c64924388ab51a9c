// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/page_dump.h"

#include <algorithm>

namespace physmem {

const PageDump::Owner& PageDump::owner_of(const Process& process, const Area& area) {
  const Name& file = area.marks.file;
  const std::string& name = file.empty() ? process.task.comm : file.text();
  Owner& owner = owners_[name][area.marks.flags];
  if (owner.name.empty()) owner = {name, area.marks.flags};
  return owner;
}

/// Neighbouring runs are far apart in RAM, so each would cost a cache miss. Prefetching lets
/// hundreds of misses overlap.
void PageDump::on_new_frames(const Process& process, const Area& area,
                             std::span<const PageRun> runs) {
  constexpr std::size_t kMax = 256;  // with their cells, less than half of a second-level cache
  if (owner_ == nullptr && !runs.empty()) owner_ = &owner_of(process, area);
  for (const PageRun& run : runs) {
    frames_.prefetch(header_.frame(run.value));
    waiting_.push_back({run, owner_});
    if (waiting_.size() == kMax) put_waiting();
  }
}

void PageDump::put_waiting() {
  for (const Waiting& waiting : waiting_) put_run(waiting);
  waiting_.clear();
}

void PageDump::put_run(const Waiting& waiting) {
  const PageRun& run = waiting.run;
  const bool is_linear = header_.frame(run.value) + run.pages <= header_.linear_frames();
  const std::uint64_t pieces = is_linear ? 1 : run.pages;
  for (std::uint64_t i = 0; i < pieces; ++i) {
    const std::uint64_t value = run.value + i * header_.page_size.bytes;
    const Kind kind{waiting.owner, value & ~header_.phys_mask, run.flags, run.count};
    std::uint64_t frame = header_.frame(value);
    frames_.for_each_stretch(frame, run.pages / pieces, [&](std::span<Cell> cells) {
      put(frame, cells, kind);
      frame += cells.size();
    });
  }
}

/// Does not change frames that already have an owner.
void PageDump::put(std::uint64_t frame, std::span<Cell> cells, const Kind& kind) {
  std::uint32_t mine = 0;
  for (Cell& cell : cells) {
    if (cell != 0) continue;
    if (mine == 0) mine = number_of(kind);
    cell = static_cast<Cell>(std::min<std::uint32_t>(mine, kLarge));
    if (cell == kLarge) large_[frame + static_cast<std::size_t>(&cell - cells.data())] = mine;
  }
}

std::size_t PageDump::HashOf::operator()(const Kind& kind) const {
  std::uint64_t hash = std::hash<const void*>()(kind.owner);
  for (const std::uint64_t part : {kind.pte_flags, kind.page_flags, kind.count})
    hash = (hash ^ part) *
           0x9E3779B97F4A7C15u;  // 2^64 / golden ratio: every bit of a part changes the upper ones
  return hash ^ hash >> 32;
}

std::uint32_t PageDump::number_of(const Kind& kind) {
  if (!kinds_.empty() && kind == kinds_.back()) return static_cast<std::uint32_t>(kinds_.size());
  const auto [known, is_new] =
      numbers_.try_emplace(kind, static_cast<std::uint32_t>(kinds_.size() + 1));
  if (is_new) kinds_.push_back(kind);
  return known->second;
}

std::size_t PageDump::kind_at(std::uint64_t frame, Cell cell) const {
  return (cell == kLarge ? *large_.find(frame) : cell) - 1;
}

void PageDump::for_each(const std::function<void(const PageRows&)>& visit) const {
  frames_.for_each_chunk([&](std::uint64_t first, const auto& cells) {
    std::size_t end = 0;
    for (std::size_t i = 0; i < cells.size(); i = end) {
      end = i + 1;
      if (cells[i] == 0) continue;
      while (end < cells.size() && cells[end] == cells[i] && cells[i] != kLarge) ++end;
      visit({(first + i) << header_.page_size.shift(), end - i, kind_at(first + i, cells[i])});
    }
  });
}

PageKind PageDump::kind(std::size_t number) const {
  const Kind& kind = kinds_[number];
  return {kind.pte_flags, kind.owner->vma_flags, kind.page_flags, kind.count, kind.owner->name};
}

}  // namespace physmem
