// SPDX-License-Identifier: MIT
#include "analyzer/analyze/time/ram_leak_judge.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "analyzer/analyze/ram/slab_reclaim.h"

namespace physmem {
namespace {

bool is_reclaimable(const RamSeriesEntry& entry) {
  switch (entry.subject->kind) {
    case RamKind::kCacheFile:
    case RamKind::kCacheFolder:
    case RamKind::kCache:
      return true;
    default:
      return entry.is_reclaimable_slab;
  }
}

std::vector<double> as_numbers(const std::vector<std::uint64_t>& pages) {
  return {pages.begin(), pages.end()};
}

/// Subtracts what `whole` has at the samples of `part`, which are its last ones.
void subtract(std::vector<double>& part, const std::vector<double>& whole) {
  const std::size_t skipped = whole.size() - part.size();
  for (std::size_t i = 0; i < part.size(); ++i) part[i] -= whole[skipped + i];
}

/// The same the other way round.
void add_to(std::vector<double>& whole, const std::vector<double>& part) {
  const std::size_t skipped = whole.size() - part.size();
  for (std::size_t i = 0; i < part.size(); ++i) whole[skipped + i] += part[i];
}

bool ranks_before(const RamLeakRow& a, const RamLeakRow& b) {
  const auto key = [](const RamLeakRow& row) {
    return std::tuple(!row.is_alert(), !row.verdict.is_leak(), -row.verdict.fit.slope);
  };
  return key(a) < key(b);
}

}  // namespace

RamLeakJudge::RamLeakJudge(const RamSeries& series, Context context,
                           const std::vector<LeakRow>& processes)
    : series_(series),
      context_(std::move(context)),
      anon_leaks_(context_.time.size()),
      cached_(context_.time.size()) {
  for (const LeakRow& row : processes) {
    if (!row.verdict.is_leak() || row.is_area || row.is_of_file) continue;
    if (row.region == Region::kSharedMemory)
      shared_leaks_ = true;
    else
      add_to(anon_leaks_, sampled(row));
  }
  for (const RamSeriesEntry* const entry : series_.bottom_up()) {
    const RamSubject& subject = *entry->subject;
    if (subject.kind == RamKind::kCache ||
        (subject.kind == RamKind::kClass && subject.name == "shmem"))
      add_to(cached_, as_numbers(entry->pages));
  }
}

/// A process is read between the time of its snapshot and the time of the next one.
RamLeakJudge::Pages RamLeakJudge::sampled(const LeakRow& process) const {
  Pages pages(context_.time.size());
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const double end =
        i + 1 < pages.size() ? context_.time[i + 1] : std::numeric_limits<double>::infinity();
    const auto at = std::lower_bound(process.time.begin(), process.time.end(), context_.time[i]);
    if (at != process.time.end() && *at < end)
      pages[i] = process.pages[static_cast<std::size_t>(at - process.time.begin())];
  }
  return pages;
}

bool RamLeakJudge::judges_unmapped(RamKind kind, const std::string& name) const {
  switch (kind) {
    case RamKind::kCacheFile:
    case RamKind::kCacheFolder:
    case RamKind::kCache:
      return true;
    case RamKind::kSharedFile:
    case RamKind::kSharedFileSystem:
      return shared_leaks_;
    case RamKind::kClass:
      return shared_leaks_ && name == "shmem";
    default:
      return false;
  }
}

void RamLeakJudge::subtract_processes(const RamSeriesEntry& entry, Pages& pages) const {
  if (entry.subject->kind == RamKind::kClass && entry.subject->name == "anon")
    subtract(pages, anon_leaks_);
}

void RamLeakJudge::subtract_index(const RamSeriesEntry& entry, Pages& pages) const {
  constexpr double kMaxShare = 0.25;
  if (entry.subject->kind != RamKind::kSlab || !is_index_of_cache(entry.subject->name)) return;
  Pages index = cached_;
  for (double& n : index) n = kMaxShare * (n - cached_[entry.first]);
  subtract(pages, index);
}

LeakVerdict RamLeakJudge::verdict(const std::vector<double>& time, const Pages& pages) const {
  return judge({time, pages, false, false, false, context_.page_size, context_.min_duration});
}

RamLeakRow RamLeakJudge::row(const RamSeriesEntry& entry) {
  const bool by_unmapped = judges_unmapped(entry.subject->kind, entry.subject->name);
  RamLeakRow row;
  row.subject = *entry.subject;
  row.process = entry.process;
  row.is_reclaimable = is_reclaimable(entry);
  row.time.assign(context_.time.begin() + static_cast<std::ptrdiff_t>(entry.first),
                  context_.time.end());
  row.pages = as_numbers(by_unmapped ? entry.unmapped : entry.pages);
  if (const auto parts = explained_.find(&entry); parts != explained_.end()) {
    subtract(row.pages, parts->second);
    row.is_rest = true;
  }
  subtract_processes(entry, row.pages);
  subtract_index(entry, row.pages);
  row.verdict = verdict(row.time, row.pages);
  if (!row.verdict.is_leak()) return row;
  if (by_unmapped && !verdict(row.time, as_numbers(entry.pages)).is_leak())
    row.verdict.reason = LeakReason::kWasMapped;
  if (row.is_reclaimable) row.verdict.confidence = Confidence::kLow;
  return row;
}

void RamLeakJudge::explain(const RamSeriesEntry& entry, const Pages& pages) {
  for (const RamSeriesEntry* at = entry.parent; at != nullptr; at = at->parent) {
    Pages& sum = explained_[at];
    sum.resize(at->pages.size());
    add_to(sum, pages);
  }
}

std::vector<RamLeakRow> RamLeakJudge::rows() {
  std::vector<RamLeakRow> rows;
  for (const RamSeriesEntry* const entry : series_.bottom_up()) {
    rows.push_back(row(*entry));
    if (rows.back().verdict.is_leak()) explain(*entry, rows.back().pages);
  }
  std::stable_sort(rows.begin(), rows.end(), ranks_before);
  return rows;
}

}  // namespace physmem
