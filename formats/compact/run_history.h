// SPDX-License-Identifier: MIT History of runs. Processes share libraries with each other, and
// memory with their parents, so the same runs of frames appear again in the same order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "formats/compact/format.h"

namespace physmem::compact {

/// A run as it is encoded: its address is relative to the end of the previous run, so that it can
/// be repeated at other addresses.
struct PastRun {
  std::uint64_t gap = 0;  ///< pages
  std::uint64_t place = 0;
  std::uint32_t pages = 0;  ///< a run ends with its block
  std::uint16_t use = 0;    ///< index in the dictionary
  bool is_down = false;

  bool operator==(const PastRun&) const = default;
};

/// The most recent runs. A repeat continues after the last run that began at the same frame as the
/// previous run. If there is none, it uses the distance of the previous repeat.
class RunHistory {
 public:
  /// Distance, in runs, of a repeat that begins now.
  std::uint64_t distance() const {
    if (!has(count_ - 1)) return distance_;
    const std::uint64_t place = at(count_ - 1).place;
    const std::uint64_t before = latest_[slot_of(place)];
    return has(before) && at(before).place == place ? count_ - 1 - before : distance_;
  }
  void begin_repeat(std::uint64_t distance) { distance_ = distance; }
  /// Distance of the current repeat.
  std::uint64_t last_distance() const { return distance_; }

  /// The run `distance` runs before the next one; nullptr if there is none.
  const PastRun* back(std::uint64_t distance) const {
    const std::uint64_t i = count_ - distance;
    return has(i) ? &at(i) : nullptr;
  }

  /// Only writes, so that most runs, which are not repeats, do not wait for reads of the history.
  void add(const PastRun& run) {
    if (latest_.empty()) latest_.allocate();
    // The previous run, because distance() looks for runs before the last one.
    latest_[slot_of(last_place_)] = count_ - 1;
    last_place_ = run.place;
    if (count_ < kMaxPast)
      runs_.push_back(run);
    else
      runs_[count_ % kMaxPast] = run;
    ++count_;
  }

  void reset() {
    oldest_ = count_;
    distance_ = 0;
  }

 private:
  /// The upper 14 bits of the product.
  static std::size_t slot_of(std::uint64_t place) {
    return static_cast<std::size_t>(place * kOdd >> 50);
  }
  static_assert(kMaxPast == 1 << 14);

  /// A number per slot. calloc() provides zeros; most files touch only a few pages of it.
  class Slots {
   public:
    Slots() = default;
    Slots(const Slots& other) {
      if (other.numbers_ == nullptr) return;
      allocate();
      std::copy_n(other.numbers_.get(), kMaxPast, numbers_.get());
    }
    Slots(Slots&&) = default;
    Slots& operator=(Slots&&) = default;

    bool empty() const { return numbers_ == nullptr; }
    void allocate() {
      numbers_.reset(static_cast<std::uint64_t*>(std::calloc(kMaxPast, sizeof(std::uint64_t))));
      if (numbers_ == nullptr) std::__throw_bad_alloc();
    }
    std::uint64_t& operator[](std::size_t slot) const { return numbers_[slot]; }

   private:
    struct Free {
      void operator()(std::uint64_t* numbers) const { std::free(numbers); }
    };
    std::unique_ptr<std::uint64_t[], Free> numbers_;
  };

  const PastRun& at(std::uint64_t i) const { return runs_[i % kMaxPast]; }
  bool has(std::uint64_t i) const { return i >= oldest_ && i < count_ && count_ - i <= kMaxPast; }

  std::vector<PastRun> runs_;     ///< grows up to kMaxPast, because many files have few runs
  Slots latest_;                  ///< number of the last run with this slot
  std::uint64_t last_place_ = 0;  ///< of the last run
  std::uint64_t count_ = 0;       ///< of all runs; the number of the next one
  std::uint64_t oldest_ = 0;      ///< number of the first run after the last reset()
  std::uint64_t distance_ = 0;    ///< of the current or last repeat, in runs; 0: none yet
};

}  // namespace physmem::compact
