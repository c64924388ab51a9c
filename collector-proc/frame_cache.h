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

/// One thread's way to the table: each frame is read once however many processes map it, and with
/// few calls.
///
/// Reading the kernel's files is most of what a snapshot costs: about 65 ns a frame, and 220 ns a
/// call. Neighbours in an address space seldom are neighbours in RAM, but those of one page table
/// lie close together: so frames are first wanted, as many as are known to be, and then learnt in
/// the order of RAM.
class FrameCache {
 public:
  /// The table must outlive it.
  explicit FrameCache(FrameTable& table) : table_(table) {}

  /// Says that describe() will soon be asked about the frame.
  void prefetch(std::uint64_t pfn) { __builtin_prefetch(place(pfn).word); }
  /// The next learn() is to read it, unless it is known.
  void want(std::uint64_t pfn) {
    const Place at = place(pfn);
    if (FrameFacts::load(*at.word).is_known()) return;
    at.marks[at.index / 64] |= std::uint64_t{1} << at.index % 64;
    wanted_.push_back(pfn);
  }
  void learn();

  /// Adds the frames [pfn, pfn + pages) to single_use and shared, learning those not yet known.
  void tally(std::uint64_t pfn, std::uint64_t pages, pm_page_counts& counts) {
    const bool is_within = pages <= kChunkFrames - pfn % kChunkFrames;
    if (!is_within || !add(pfn, pages, counts)) tally_slowly(pfn, pages, counts);
  }
  /// Sets count and flags of as many records, for frames that tally() has seen. Beyond the end of
  /// the kernel's files (device memory): count 0, flag NOPAGE.
  void describe(std::uint64_t pfn, std::uint64_t pages, pm_page* records);

  /// Frames asked for that the kernel's files do not have, each time they were asked for.
  std::uint64_t unreadable() const { return unreadable_; }

 private:
  static constexpr std::uint64_t kChunkFrames = FrameTable::kChunkFrames;
  static constexpr std::uint64_t kReadFrames = 512;
  /// Frames between two wanted ones that cost less to read than another call.
  static constexpr std::uint64_t kGap = 3;
  using Marks =
      std::array<std::uint64_t, kChunkFrames / 64>;  // a bit for each wanted frame of a chunk

  /// Where the frame's chunk was found last time; all chunks of 256 GiB of RAM fit.
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
  static Stretch wanted_around(const std::uint64_t* marks, std::uint64_t index);
  void read(std::uint64_t chunk_first, const Place& chunk, Stretch stretch);
  void tally_slowly(std::uint64_t pfn, std::uint64_t pages, pm_page_counts& counts);

  /// Frames of one chunk. False, and nothing is added, when one of them is not known.
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
  std::array<Recent, kRecents> recent_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Marks>> marks_;
  std::vector<std::uint64_t> wanted_;
  std::uint64_t unreadable_ = 0;
};

}  // namespace physmem::collect
