// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "collector-proc/frame_table.h"
#include "formats/emit/records.h"

namespace physmem::collect {

/// A thread's access to the table. Each frame is read once, independent of the number of processes
/// that map it, with few system calls.
///
/// Reading the kernel's files is most of the cost of a snapshot: about 65 ns per frame and 220 ns
/// per call. Pages that are adjacent in an address space are seldom adjacent in RAM, but the frames
/// of one page table are close together. So frames are first collected with request(), then read by
/// learn() in few pieces.
class FrameCache {
 public:
  /// Frames [pfn, pfn + pages).
  struct Frames {
    std::uint64_t pfn = 0;
    std::uint64_t pages = 0;
  };

  /// The table must outlive it. can_forget: the cache remembers what it reads.
  explicit FrameCache(FrameTable& table, bool can_forget = false)
      : table_(table), can_forget_(can_forget) {}

  /// What was read since the last forget(), with small gaps.
  const std::vector<Frames>& learned() const { return learned_; }
  /// Clears these frames in the table, so that they are read again. No other thread may use it.
  void forget();

  /// Prefetches the frame for a later describe().
  void prefetch(std::uint64_t pfn) { __builtin_prefetch(place(pfn).word); }
  /// Makes the next learn() read the frame, unless it is known.
  void request(std::uint64_t pfn) {
    const Place at = place(pfn);
    if (FrameFacts::load(*at.word).is_known()) return;
    at.marks[at.index / 64] |= std::uint64_t{1} << at.index % 64;
    requested_.push_back(pfn);
  }
  void learn();

  /// Adds the frames [pfn, pfn + pages) to single_use and shared. Reads those that are not known
  /// yet.
  void tally(std::uint64_t pfn, std::uint64_t pages, pm_page_counts& counts) {
    const bool is_within = pages <= kChunkFrames - pfn % kChunkFrames;
    if (!is_within || !add(pfn, pages, counts)) tally_slowly(pfn, pages, counts);
  }
  /// Sets count and flags of `pages` records, for frames already passed to tally(). Frames beyond
  /// the end of the kernel's files (device memory) have count 0 and flag NOPAGE.
  void describe(std::uint64_t pfn, std::uint64_t pages, pm_page* records);

  /// Number of requested frames that the kernel's files do not have, counted once per request.
  std::uint64_t unreadable() const { return unreadable_; }

 private:
  static constexpr std::uint64_t kChunkFrames = FrameTable::kChunkFrames;
  static constexpr std::uint64_t kReadFrames = 512;
  /// Maximum gap between two requested frames that costs less to read than another call.
  static constexpr std::uint64_t kGap = 3;
  /// A bit for each frame of a chunk: requested.
  using Marks = std::array<std::uint64_t, kChunkFrames / 64>;

  /// Cache of the last chunk lookups. It has room for all chunks of 256 GiB of RAM.
  struct Recent {
    std::uint64_t number = ~std::uint64_t{0};
    std::uint64_t* words = nullptr;
    std::uint64_t* marks = nullptr;
  };
  static constexpr std::uint64_t kRecents = 256;

  struct Place {
    std::uint64_t* word;
    std::uint64_t* marks;  // of the whole chunk
    std::uint64_t index;   // in the chunk
  };
  /// Frames [first, end) of a chunk.
  struct Stretch {
    std::uint64_t first;
    std::uint64_t end;
  };

  Place place(std::uint64_t pfn) {
    const std::uint64_t number = pfn / kChunkFrames;
    const std::uint64_t index = pfn % kChunkFrames;
    const Recent& recent = recent_[number % kRecents];
    if (recent.number != number) find(number);
    return {recent.words + index, recent.marks, index};
  }
  void find(std::uint64_t number);
  static Stretch requested_around(const std::uint64_t* marks, std::uint64_t index);
  void read(std::uint64_t chunk_first, const Place& chunk, Stretch stretch);
  void tally_slowly(std::uint64_t pfn, std::uint64_t pages, pm_page_counts& counts);

  /// Adds frames of one chunk. Returns false, and adds nothing, if one of them is not known.
  bool add(std::uint64_t pfn, std::uint64_t pages, pm_page_counts& counts) {
    std::uint64_t single = 0;
    std::uint64_t shared = 0;
    std::uint64_t unreadable = 0;
    std::uint64_t* word = place(pfn).word;
    for (const std::uint64_t* const end = word + pages; word != end; ++word) {
      const FrameFacts facts = FrameFacts::load(*word);
      if (!facts.is_known()) return false;
      single += facts.is_single();
      shared += facts.is_shared();
      unreadable += facts.is_unreadable();
    }
    counts.single_use += single;
    counts.shared += shared;
    unreadable_ += unreadable;
    return true;
  }

  FrameTable& table_;
  bool can_forget_;
  std::vector<Frames> learned_;  ///< each within a chunk
  std::array<Recent, kRecents> recent_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Marks>> marks_;
  std::vector<std::uint64_t> requested_;
  std::uint64_t unreadable_ = 0;
};

}  // namespace physmem::collect
