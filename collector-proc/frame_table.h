// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>

#include "formats/emit/flags.h"
#include "program/unique_fd.h"

namespace physmem::collect {

/// Count and flags of a frame from /proc/kpagecount and /proc/kpageflags. Once known, they do not
/// change within a snapshot.
class FrameFacts {
 public:
  FrameFacts() = default;
  /// The count is limited to 32 bits; no page has 2^32 mappings.
  FrameFacts(std::uint64_t count, std::uint64_t flags)
      : word_(kKnown | (count == 1 ? kSingle : 0) | (count > 1 ? kShared : 0) |
              (count < kCountMask ? count : kCountMask) << kCountShift | flags) {}
  /// For a frame that the kernel's files do not have (device memory).
  static FrameFacts unreadable() {
    FrameFacts facts(0, PM_PAGE_NOPAGE);
    facts.word_ |= kUnreadable;
    return facts;
  }
  static FrameFacts load(std::uint64_t& place) {
    FrameFacts facts;
    facts.word_ = std::atomic_ref(place).load(std::memory_order_relaxed);
    return facts;
  }

  bool is_known() const { return word_ >> 63 != 0; }
  std::uint64_t is_single() const { return word_ >> 59 & 1; }  // 0 or 1, for summation
  std::uint64_t is_shared() const { return word_ >> 60 & 1; }
  std::uint64_t is_unreadable() const { return word_ >> 61 & 1; }
  std::uint64_t count() const { return word_ >> kCountShift & kCountMask; }
  std::uint64_t flags() const { return is_known() ? word_ & PM_PAGE_STABLE_MASK : PM_PAGE_NOPAGE; }
  std::uint64_t word() const { return word_; }

 private:
  // Flags in bits 0-26, map count in bits 27-58.
  static constexpr int kCountShift = 27;
  static constexpr std::uint64_t kCountMask = 0xffffffff;
  static constexpr std::uint64_t kSingle = std::uint64_t{1} << 59;
  static constexpr std::uint64_t kShared = std::uint64_t{1} << 60;
  static constexpr std::uint64_t kUnreadable = std::uint64_t{1} << 61;
  static constexpr std::uint64_t kKnown = std::uint64_t{1} << 63;
  static_assert(PM_PAGE_STABLE_MASK < std::uint64_t{1} << kCountShift);

  std::uint64_t word_ = 0;
};

/// The facts of all frames that any process maps, shared by all threads that walk processes. It
/// takes 8 bytes per frame, in chunks for 1 GiB of RAM that are allocated on first use.
class FrameTable {
 public:
  static constexpr std::uint64_t kChunkFrames = 1u << 18;

  /// With many frames each chunk is one huge page, which saves page faults and TLB misses. With few
  /// frames only the small pages of a chunk that are used are allocated.
  enum class Use { kFewFrames, kManyFrames };

  /// flag_mask: the kernel's flags to store. is_shared: more than one thread will use the table.
  FrameTable(UniqueFd kpagecount, UniqueFd kpageflags,
             std::uint64_t flag_mask = PM_PAGE_STABLE_MASK, Use use = Use::kFewFrames,
             bool is_shared = false);

  /// The words of frames [number * kChunkFrames, (number + 1) * kChunkFrames), for
  /// FrameFacts::load(). Their address does not change.
  std::uint64_t* chunk(std::uint64_t number);

  /// Reads both files for the frames from first on. Returns the number of frames that the files
  /// have.
  std::size_t read(std::uint64_t first, std::span<std::uint64_t> counts,
                   std::span<std::uint64_t> flags) const;
  /// Sets the facts of a frame unless they are known already. If another thread has set them, all
  /// threads use its facts.
  void set(std::uint64_t& word, FrameFacts facts) const {
    const std::atomic_ref place(word);
    if (!is_shared_) {
      place.store(facts.word(), std::memory_order_relaxed);  // ten times faster than the exchange
      return;
    }
    std::uint64_t unknown = 0;
    place.compare_exchange_strong(unknown, facts.word(), std::memory_order_relaxed);
  }
  std::uint64_t flag_mask() const { return flag_mask_; }

 private:
  struct Unmap {
    void operator()(std::uint64_t* words) const;
  };
  using Chunk = std::unique_ptr<std::uint64_t[], Unmap>;

  UniqueFd kpagecount_;
  UniqueFd kpageflags_;
  std::uint64_t flag_mask_;
  Use use_;
  bool is_shared_;
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Chunk> chunks_;
};

}  // namespace physmem::collect
