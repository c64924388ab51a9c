// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/frame_lookup.h"

#include <algorithm>
#include <numeric>

namespace physmem {

void FrameLookup::on_header(const Header& header) {
  header_ = header;
  owners_ = {};
  all_owners_.clear();
  frames_.clear();
  for (const std::uint64_t number : numbers_)
    frames_.emplace_back().pfn = are_addresses_ ? number >> header.page_size.shift() : number;
  by_pfn_.resize(frames_.size());
  std::iota(by_pfn_.begin(), by_pfn_.end(), 0);
  std::ranges::sort(by_pfn_, {}, [this](std::size_t i) { return frames_[i].pfn; });
}

template <class Visit>
void FrameLookup::for_each_in(std::uint64_t first, std::uint64_t end, Visit visit) {
  const auto pfn_of = [this](std::size_t i) { return frames_[i].pfn; };
  for (auto i = std::ranges::lower_bound(by_pfn_, first, {}, pfn_of);
       i != by_pfn_.end() && pfn_of(*i) < end; ++i)
    visit(frames_[*i]);
}

void FrameLookup::on_pages(const Process& process, const Area& area,
                           std::span<const PageRun> runs) {
  for (const PageRun& run : runs) {
    const std::uint64_t first = header_.frame(run.value);
    for_each_in(first, first + run.pages, [&](FrameFacts& frame) {
      const std::uint64_t address = run.va + (frame.pfn - first) * header_.page_size.bytes;
      frame.mappings.push_back(
          {process.pid(), process.task.comm, address, area.marks.unit.text(), area.vma.flags});
      if (!frame.flags) frame.flags = run.flags;
      if (!frame.count) frame.count = run.count;
    });
  }
}

void FrameLookup::on_owner(const RamOwner& owner) {
  all_owners_.push_back(owners_.add(owner));
}

void FrameLookup::on_ram(const RamRun& run) {
  const auto owner_of = [this](std::uint64_t id) -> std::optional<RamOwner> {
    const auto found = owners_.find(id);
    return found ? std::optional(all_owners_[*found]) : std::nullopt;
  };
  for_each_in(run.first_pfn, run.first_pfn + run.pages, [&](FrameFacts& frame) {
    frame.run = run;
    frame.run->first_pfn = frame.pfn;
    frame.run->pages = 1;
    if (run.use != PM_RAM_FREE) frame.run->place += frame.pfn - run.first_pfn;
    frame.owner = owner_of(run.owner);
    frame.cgroup = owner_of(run.cgroup);
    frame.flags = run.flags;
    frame.count = run.count;
  });
}

}  // namespace physmem
