// SPDX-License-Identifier: MIT
#include "analyzer/analyze/verify/mapping_join.h"

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
        has_hidden_areas_ ||
        ((counter.name == "note.areas_hidden" || counter.name == "note.areas_unsupported") &&
         counter.value != 0);
}

void MappingJoin::on_task(const Task& task) {
  has_all_processes_ = has_all_processes_ || task.pid == kKthreadd;
}

void MappingJoin::on_pages(const Process& /*process*/, const Area& /*area*/,
                           std::span<const PageRun> runs) {
  entries_.add(header_, runs);
  for (const PageRun& run : runs) {
    note_count(header_.frame(run.value), run.count);
    if (has_counted_mappings(run)) listed_ += run.pages;
    if (run.count == 0 && (run.flags & PM_PAGE_LRU) != 0) uncounted_.add(header_, {&run, 1});
  }
}

void MappingJoin::note_count(std::uint64_t pfn, std::uint64_t count) {
  if (count > most_mapped_.number) most_mapped_ = {pfn, count};
}

void MappingJoin::on_ram(const RamRun& run) {
  if (!is_joined_) {
    entries_.begin();
    uncounted_.begin();
  }
  is_joined_ = true;
  const std::uint64_t end = run.first_pfn + run.pages;
  pass_outside(at_, run.use == PM_RAM_HOLE ? end : run.first_pfn);
  at_ = end;
  if (!is_user_memory(run.use)) return;
  note_count(run.first_pfn, run.count);
  if (obstacle().empty()) compare(run);
}

void MappingJoin::pass_outside(std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t at = begin; at < end;) {
    entries_.move_to(at);
    uncounted_.move_to(at);
    const std::uint64_t next = std::min({end, entries_.next_change(), uncounted_.next_change()});
    if (entries_.counts() != 0 || uncounted_.mappings() != 0) {
      if (outside_.number == 0) outside_.pfn = at;
      outside_.number += next - at;
    }
    at = next;
  }
}

void MappingJoin::note(const RamRun& run, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t pages = end - begin;
  const std::uint64_t mappings = entries_.mappings();
  if (mappings != 0 || run.count != 0) frames_ += pages;
  mappings_ += mappings * pages;
  counted_ += run.count * pages;
  if (mappings == run.count && entries_.all_counts_are(run.count)) return;
  different_frames_ += pages;
  ++different_runs_;
  if (differences_.size() == kMaxListed) return;
  differences_.push_back({begin, pages, run.use, run.owner, mappings, run.count, std::nullopt});
  if (mappings != 0) differences_.back().listed = entries_.counts() / mappings;
}

/// Splits the run where the number of mappings changes.
void MappingJoin::compare(const RamRun& run) {
  const std::uint64_t end = run.first_pfn + run.pages;
  for (std::uint64_t at = run.first_pfn; at < end;) {
    entries_.move_to(at);
    const std::uint64_t next = std::min(end, entries_.next_change());
    note(run, at, next);
    at = next;
  }
}

void MappingJoin::on_end() {
  if (is_joined_) pass_outside(at_, MappingSweep::kNoFrame);
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
