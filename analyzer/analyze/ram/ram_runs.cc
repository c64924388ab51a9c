// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/ram_runs.h"

#include <algorithm>

#include "analyzer/model/frame_classes.h"
#include "formats/emit/flags.h"

namespace physmem {

static_assert(kFrameClasses <= RamRuns::kNotDescribed);
static_assert(PM_PAGE_STABLE_MASK == (1u << RamRuns::kFlagBits) - 1);

void RamRuns::on_header(const Header&) {
  runs_.clear();
  cgroup_rows_.clear();
  owners_.clear();
  frames_end_ = too_far_ = 0;
}

/// The row of an owner in the ledger plus 1; 0 if there is none.
std::uint32_t RamRuns::row(std::uint64_t id) const {
  const std::size_t row = ledger_.row_of(id);
  return row < ledger_.owners().size() ? static_cast<std::uint32_t>(row + 1) : 0;
}

void RamRuns::put(std::uint64_t pages, const RamRun& run, std::uint32_t use) {
  const auto flags = static_cast<std::uint32_t>(run.flags & PM_PAGE_STABLE_MASK);
  runs_.push_back({static_cast<std::uint32_t>(pages), use << kFlagBits | flags, row(run.owner),
                   static_cast<std::uint32_t>(std::min(run.place, kMaxPlace)), 0,
                   static_cast<std::uint16_t>(std::min(run.count, kMaxShort))});
  cgroup_rows_.push_back(row(run.cgroup));
  frames_end_ += pages;
}

void RamRuns::on_ram(const RamRun& run) {
  constexpr std::uint64_t kEnd = FrameRuns::kMaxFramesEnd;
  const std::uint64_t first = std::min(run.first_pfn, kEnd);
  const std::uint64_t pages = std::min(run.pages, kEnd - first);
  if (is_ram(run.use)) too_far_ += run.pages - pages;
  if (first > frames_end_) put(first - frames_end_, {}, kNotDescribed);
  if (pages > 0) put(pages, run, static_cast<std::uint32_t>(run.use));
}

void RamRuns::on_end() {
  const std::vector<OwnerRow>& rows = ledger_.owners();
  owners_.reserve(rows.size());
  for (const OwnerRow& row : rows)
    if (row.owner.kind != RamOwner::Kind::kMount) owners_.push_back(&row);
  std::stable_sort(owners_.begin(), owners_.end(), [](const OwnerRow* a, const OwnerRow* b) {
    return a->owner.kind < b->owner.kind;
  });
  std::vector<std::uint32_t> place(rows.size() + 1, 0);  // by row plus 1
  std::vector<std::uint16_t> group(rows.size() + 1, 0);
  std::uint64_t groups = 0;
  for (std::size_t i = 0; i < owners_.size(); ++i) {
    const auto row = static_cast<std::size_t>(owners_[i] - rows.data()) + 1;
    place[row] = static_cast<std::uint32_t>(i + 1);
    if (owners_[i]->owner.kind == RamOwner::Kind::kCgroup)
      group[row] = static_cast<std::uint16_t>(std::min(++groups, kMaxShort));
  }
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    runs_[i].owner = place[runs_[i].owner];
    runs_[i].cgroup = group[cgroup_rows_[i]];
  }
  cgroup_rows_.clear();
}

}  // namespace physmem
