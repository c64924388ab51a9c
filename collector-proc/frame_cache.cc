// SPDX-License-Identifier: MIT
#include "collector-proc/frame_cache.h"

#include <algorithm>
#include <span>

namespace physmem::collect {
namespace {

bool is_marked(const std::uint64_t* marks, std::uint64_t index) {
  return (marks[index / 64] >> index % 64 & 1) != 0;
}

}  // namespace

void FrameCache::find(std::uint64_t number) {
  std::unique_ptr<Marks>& marks = marks_[number];
  if (!marks) marks = std::make_unique<Marks>();
  recent_[number % kRecents] = {number, table_.chunk(number), marks->data()};
}

// Returns the stretch of requested frames around one of them, with gaps of at most kGap and at most
// kReadFrames frames.
FrameCache::Stretch FrameCache::requested_around(const std::uint64_t* marks, std::uint64_t index) {
  Stretch stretch{index, index + 1};
  const std::uint64_t begin = index < kReadFrames ? 0 : index + 1 - kReadFrames;
  for (std::uint64_t gap = 1; gap <= kGap + 1 && stretch.first >= begin + gap; ++gap) {
    if (!is_marked(marks, stretch.first - gap)) continue;
    stretch.first -= gap;
    gap = 0;
  }
  const std::uint64_t end = std::min(stretch.first + kReadFrames, kChunkFrames);
  for (std::uint64_t gap = 1; gap <= kGap + 1 && stretch.end + gap <= end; ++gap) {
    if (!is_marked(marks, stretch.end + gap - 1)) continue;
    stretch.end += gap;
    gap = 0;
  }
  return stretch;
}

// Frames between requested ones are not stored: a process that maps one of them later may have
// received it after this read.
void FrameCache::read(std::uint64_t chunk_first, const Place& chunk, Stretch stretch) {
  std::array<std::uint64_t, kReadFrames> count;
  std::array<std::uint64_t, kReadFrames> flags;
  const auto frames = static_cast<std::size_t>(stretch.end - stretch.first);
  const std::size_t got = table_.read(chunk_first + stretch.first, std::span(count).first(frames),
                                      std::span(flags).first(frames));
  if (can_forget_) learned_.push_back({chunk_first + stretch.first, frames});
  for (std::size_t i = 0; i < frames; ++i) {
    const std::uint64_t index = stretch.first + i;
    if (!is_marked(chunk.marks, index)) continue;
    chunk.marks[index / 64] &= ~(std::uint64_t{1} << index % 64);
    table_.set(chunk.word[index], i < got ? FrameFacts(count[i], flags[i] & table_.flag_mask())
                                          : FrameFacts::unreadable());
  }
}

void FrameCache::learn() {
  for (const std::uint64_t pfn : requested_) {
    const Place at = place(pfn);
    if (!is_marked(at.marks, at.index)) continue;  // already read with an earlier one
    read(pfn - at.index, {at.word - at.index, at.marks, 0}, requested_around(at.marks, at.index));
  }
  requested_.clear();
}

void FrameCache::forget() {
  for (const auto& [pfn, pages] : learned_) std::fill_n(place(pfn).word, pages, 0);
  learned_.clear();
}

void FrameCache::tally_slowly(std::uint64_t pfn, std::uint64_t pages, pm_page_counts& counts) {
  for (const std::uint64_t end = pfn + pages; pfn < end;) {
    const std::uint64_t n = std::min(end - pfn, kChunkFrames - pfn % kChunkFrames);
    if (!add(pfn, n, counts)) {
      for (std::uint64_t i = 0; i < n; ++i) request(pfn + i);
      learn();
      add(pfn, n, counts);
    }
    pfn += n;
  }
}

void FrameCache::describe(std::uint64_t pfn, std::uint64_t pages, pm_page* records) {
  for (const std::uint64_t end = pfn + pages; pfn < end;) {
    const std::uint64_t n = std::min(end - pfn, kChunkFrames - pfn % kChunkFrames);
    std::uint64_t* word = place(pfn).word;
    for (std::uint64_t i = 0; i < n; ++i, ++records, ++word) {
      const FrameFacts facts = FrameFacts::load(*word);
      records->count = facts.count();
      records->flags = facts.flags();
    }
    pfn += n;
  }
}

}  // namespace physmem::collect
