// SPDX-License-Identifier: MIT
// How many page-table entries point to each frame, in the order of the frames.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "analyzer/model/header.h"
#include "analyzer/model/page_run.h"
#include "formats/emit/flags.h"

namespace physmem {

/// The kernel counts no mappings of the zero page and of memory without struct page.
inline bool has_counted_mappings(const PageRun& run) {
  return (run.flags & (PM_PAGE_ZERO_PAGE | PM_PAGE_NOPAGE)) == 0;
}

/// Memory: 24 bytes per run of M:, and while it moves 16 bytes per run that begins before a frame
/// and ends after it. Counts from 2^32 on are taken for 2^32 - 1.
class MappingSweep {
 public:
  static constexpr std::uint64_t kNoFrame = std::numeric_limits<std::uint64_t>::max();

  /// Adds runs of M: entries. Those that the kernel does not count are left out.
  void add(const Header& header, std::span<const PageRun> runs) {
    for (const PageRun& run : runs)
      if (has_counted_mappings(run)) add(header, run, 0);
  }
  /// `tag`: a number that the caller knows the run by.
  void add(const Header& header, const PageRun& run, std::uint32_t tag) {
    constexpr std::uint64_t kMaxCount = std::numeric_limits<std::uint32_t>::max();
    const std::uint64_t first = header.frame(run.value);
    runs_.push_back({first, first + run.pages,
                     static_cast<std::uint32_t>(std::min(run.count, kMaxCount)), tag});
  }
  /// A run of frames with one count.
  struct Run {
    std::uint64_t first, end;
    std::uint32_t count, tag;
  };
  const std::vector<Run>& runs() const { return runs_; }
  void clear() {
    runs_.clear();
    open_.clear();
    next_ = counts_ = squares_ = 0;
  }
  /// After the last run: stands before the first frame.
  void begin() {
    std::sort(runs_.begin(), runs_.end(),
              [](const Run& a, const Run& b) { return a.first < b.first; });
  }
  /// To a frame that is not before the last one.
  void move_to(std::uint64_t pfn) {
    while (!open_.empty() && open_.front().end <= pfn) close_first();
    for (; next_ < runs_.size() && runs_[next_].first <= pfn; ++next_)
      if (runs_[next_].end > pfn) open({runs_[next_].end, runs_[next_].count, runs_[next_].tag});
  }
  /// Entries that point to the frame.
  std::uint64_t mappings() const { return open_.size(); }
  /// The counts that M: has of the frame, added up over these entries.
  std::uint64_t counts() const { return counts_; }
  /// The tag of one of them. There must be one.
  std::uint32_t tag() const { return open_.front().tag; }
  /// Whether each of these entries has this count: the sum of the squares of the differences is 0.
  /// A sum of 2^64 would be taken for it, which needs counts above 2^31.
  bool all_counts_are(std::uint64_t count) const {
    return squares_ - 2 * count * counts_ + open_.size() * count * count == 0;
  }
  /// The next frame at which either may be another one.
  std::uint64_t next_change() const {
    const std::uint64_t opened = next_ < runs_.size() ? runs_[next_].first : kNoFrame;
    return open_.empty() ? opened : std::min(opened, open_.front().end);
  }

 private:
  struct OpenRun {
    std::uint64_t end;
    std::uint32_t count, tag;
  };
  static bool ends_later(const OpenRun& a, const OpenRun& b) { return a.end > b.end; }

  void open(OpenRun run) {
    open_.push_back(run);
    std::push_heap(open_.begin(), open_.end(), ends_later);
    counts_ += run.count;
    squares_ += std::uint64_t{run.count} * run.count;
  }
  void close_first() {
    std::pop_heap(open_.begin(), open_.end(), ends_later);
    const std::uint64_t count = open_.back().count;
    counts_ -= count;
    squares_ -= count * count;
    open_.pop_back();
  }

  std::vector<Run> runs_;
  std::size_t next_ = 0;       ///< the first that begins after the frame
  std::vector<OpenRun> open_;  ///< a heap, the first to end in front
  std::uint64_t counts_ = 0;
  std::uint64_t squares_ = 0;  ///< of the counts, added up
};

}  // namespace physmem
