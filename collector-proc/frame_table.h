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

/// What /proc/kpagecount and /proc/kpageflags say of a frame. What is known never changes within a
/// snapshot.
class FrameFacts {
 public:
  FrameFacts() = default;
  /// No page has 2^32 mappings.
  FrameFacts(std::uint64_t count, std::uint64_t flags)
      : word_(kKnown | (count == 1 ? kSingle : 0) | (count > 1 ? kShared : 0) |
              (count < kCountMask ? count : kCountMask) << kCountShift | flags) {}
  /// Of a frame that the kernel's files do not have: device memory.
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
  std::uint64_t is_single() const { return word_ >> 59 & 1; }  // 0 or 1, to be added up
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

/// The facts of all frames that any process maps, for all threads that walk processes: 8 bytes a
/// frame, in chunks for 1 GiB of RAM that exist from their first frame on.
class FrameTable {
 public:
  static constexpr std::uint64_t kChunkFrames = 1u << 18;

  /// With many frames each chunk is one huge page, which saves page faults and address
  /// translations. With few, only those small pages of a chunk are there in which something is
  /// known.
  enum class Use { kFewFrames, kManyFrames };

  /// Of the kernel's flags only those in flag_mask are taken. is_shared: more than one thread will
  /// use it.
  FrameTable(UniqueFd kpagecount, UniqueFd kpageflags,
             std::uint64_t flag_mask = PM_PAGE_STABLE_MASK, Use use = Use::kFewFrames,
             bool is_shared = false);

  /// The words of frames [number * kChunkFrames, (number + 1) * kChunkFrames), for
  /// FrameFacts::load(). They stay where they are.
  std::uint64_t* chunk(std::uint64_t number);

  /// Reads both files for the frames from first on. Returns how many of them the files have.
  std::uint64_t read(std::uint64_t first, std::span<std::uint64_t> counts,
                     std::span<std::uint64_t> flags) const;
  /// Unless they are known already, perhaps by another thread: then that is what all of them say.
  void set(std::uint64_t& word, FrameFacts facts) const {
    const std::atomic_ref place(word);
    if (!is_shared_) {
      place.store(facts.word(), std::memory_order_relaxed);  // a plain store, ten times as fast
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
