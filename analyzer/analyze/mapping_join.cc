// SPDX-License-Identifier: MIT
#include "analyzer/analyze/mapping_join.h"

#include <algorithm>

namespace physmem {
namespace {

/// kthreadd has this id in every snapshot of a whole system.
constexpr std::uint64_t kKthreadd = 2;

bool is_user_memory(FrameClass use) {
  switch (use) {
    case PM_RAM_FILE:
    case PM_RAM_BLOCK:
    case PM_RAM_SHMEM:
    case PM_RAM_ANON:
    case PM_RAM_HUGETLB:
      return true;
    default:
      return false;
  }
}

}  // namespace

void MappingJoin::on_counters(std::span<const Counter> counters) {
  for (const Counter& counter : counters)
    has_hidden_areas_ =
        has_hidden_areas_ || (counter.name == "note.areas_hidden" && counter.value != 0);
}

void MappingJoin::on_task(const Task& task) {
  has_all_processes_ = has_all_processes_ || task.pid == kKthreadd;
}

void MappingJoin::on_pages(const Process& /*process*/, const Area& /*area*/,
                           std::span<const PageRun> runs) {
  entries_.add(header_, runs);
}

void MappingJoin::on_ram(const RamRun& run) {
  if (!is_joined_) depths_ = entries_.depths();
  is_joined_ = true;
  if (is_user_memory(run.use) && obstacle().empty()) compare(run);
}

void MappingJoin::note(const RamRun& run, std::uint64_t begin, std::uint64_t end,
                       std::uint64_t depth) {
  const std::uint64_t pages = end - begin;
  if (depth != 0 || run.count != 0) frames_ += pages;
  mappings_ += depth * pages;
  counted_ += run.count * pages;
  if (depth == run.count) return;
  different_frames_ += pages;
  ++different_runs_;
  if (differences_.size() < kMaxListed)
    differences_.push_back({begin, pages, run.use, run.owner, depth, run.count});
}

/// Splits the run where the number of mappings changes.
void MappingJoin::compare(const RamRun& run) {
  const std::uint64_t end = run.first_pfn + run.pages;
  std::uint64_t at = run.first_pfn;
  while (at < end) {
    for (; next_ < depths_.size() && depths_[next_].pfn <= at; ++next_)
      depth_ = depths_[next_].mappings;
    const std::uint64_t change = next_ < depths_.size() ? depths_[next_].pfn : end;
    note(run, at, std::min(change, end), depth_);
    at = std::min(change, end);
  }
}

void MappingJoin::on_end() {
  if (!is_joined_) depths_ = entries_.depths();
}

std::string_view MappingJoin::obstacle() const {
  if (!header_.has_pages) return "the snapshot has no M: lines";
  if (header_.pfn_hidden) return "the kernel hid frame numbers";
  if (header_.count != Header::Count::kMapcount) return "counts are not those of mappings";
  if (has_hidden_areas_) return "areas of some processes are hidden";
  if (!has_all_processes_) return "the snapshot is not of all processes";
  return "";
}

}  // namespace physmem
