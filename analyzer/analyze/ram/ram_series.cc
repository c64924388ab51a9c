// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/ram_series.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace physmem {
namespace {

/// Ascending from children to parents. A folder's path is longer than its parent's.
auto height(const RamSeriesEntry& entry) {
  const RamKind kind = entry.subject->kind;
  const std::size_t length = entry.subject->name.size();
  const std::size_t depth = kind == RamKind::kCacheFolder ? length : 0;
  return std::tuple(kind, ~depth);
}

}  // namespace

void RamSeries::begin_sample(double min_pages) {
  ++samples_;
  min_pages_ = min_pages;
}

RamSeriesEntry* RamSeries::add(RamSubject subject, SubjectPages pages, RamSeriesEntry* parent) {
  if (static_cast<double>(pages.pages) < min_pages_ && !entries_.contains(subject)) return nullptr;
  return put(std::move(subject), pages, parent);
}

RamSeriesEntry* RamSeries::add_always(RamSubject subject, SubjectPages pages) {
  return put(std::move(subject), pages, nullptr);
}

RamSeriesEntry* RamSeries::put(RamSubject&& subject, SubjectPages pages, RamSeriesEntry* parent) {
  const auto [at, is_new] = entries_.try_emplace(std::move(subject));
  RamSeriesEntry& entry = at->second;
  if (is_new) {
    entry.subject = &at->first;
    entry.parent = parent;
    entry.first = samples_ - 1;
  }
  const std::size_t size = samples_ - entry.first;
  entry.pages.resize(size);
  entry.unmapped.resize(size);
  entry.pages.back() += pages.pages;  // a file may have two owners in one snapshot
  entry.unmapped.back() += pages.unmapped;
  if (pages.pages != 0)
    for (RamSeriesEntry* up = &entry; up != nullptr; up = up->parent) up->last_used = samples_ - 1;
  return &entry;
}

/// A parent is dropped no earlier than its children.
void RamSeries::end_sample() {
  std::erase_if(entries_, [this](const auto& item) {
    return item.second.parent != nullptr && item.second.last_used + kMaxEmpty < samples_ - 1;
  });
  for (auto& [subject, entry] : entries_) {
    entry.pages.resize(samples_ - entry.first);
    entry.unmapped.resize(samples_ - entry.first);
  }
}

std::vector<const RamSeriesEntry*> RamSeries::bottom_up() const {
  std::vector<const RamSeriesEntry*> all;
  all.reserve(entries_.size());
  for (const auto& [subject, entry] : entries_) all.push_back(&entry);
  std::stable_sort(all.begin(), all.end(),
                   [](const auto* a, const auto* b) { return height(*a) < height(*b); });
  return all;
}

}  // namespace physmem
