// SPDX-License-Identifier: MIT
// Processes have libraries in common, and children what their parents had: the same frames, run by
// run in the same order.
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

/// A run as it is told: addresses relative to where the last one ended, so that it may come again
/// elsewhere.
struct PastRun {
  std::uint64_t gap = 0;  ///< pages
  std::uint64_t place = 0;
  std::uint32_t pages = 0;  ///< a block ends it
  std::uint16_t use = 0;    ///< of the dictionary
  bool is_down = false;

  bool operator==(const PastRun&) const = default;
};

/// The last runs. A repeat begins behind the last one that began where the run at hand did; where
/// that is not known, as far back as the repeat before, as if nothing had come between.
class RunHistory {
 public:
  /// How many runs back a repeat that begins here looks.
  std::uint64_t distance() const {
    if (!has(count_ - 1)) return distance_;
    const std::uint64_t place = at(count_ - 1).place;
    const std::uint64_t before = latest_[slot_of(place)];
    return has(before) && at(before).place == place ? count_ - 1 - before : distance_;
  }
  void begin_repeat(std::uint64_t distance) { distance_ = distance; }
  /// Of the repeat that has begun.
  std::uint64_t last_distance() const { return distance_; }

  /// The run that began so many runs before the next one; nothing where there is none.
  const PastRun* back(std::uint64_t distance) const {
    const std::uint64_t i = count_ - distance;
    return has(i) ? &at(i) : nullptr;
  }

  /// Writes only: most runs are no repeats, and should not wait for what came before.
  void add(const PastRun& run) {
    if (latest_.empty()) latest_.allocate();
    latest_[slot_of(last_place_)] =
        count_ - 1;  // the run before; distance() asks for those before the last
    last_place_ = run.place;
    if (count_ < kMaxPast)
      runs_.push_back(run);
    else
      runs_[count_ % kMaxPast] = run;
    ++count_;
  }

  void forget() {
    oldest_ = count_;
    distance_ = 0;
  }

 private:
  /// The upper 14 bits of the product.
  static std::size_t slot_of(std::uint64_t place) { return place * kOdd >> 50; }
  static_assert(kMaxPast == 1 << 14);

  /// A number by slot. Zeros by calloc(): most files touch a few pages of it.
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
      if (numbers_ == nullptr) throw std::bad_alloc();
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

  std::vector<PastRun> runs_;     ///< as many as there were, at most kMaxPast: many files have few
  Slots latest_;                  ///< the number of the last run with this slot
  std::uint64_t last_place_ = 0;  ///< of the last run
  std::uint64_t count_ = 0;       ///< of all runs, the next one's number
  std::uint64_t oldest_ = 0;      ///< that is not forgotten
  std::uint64_t distance_ = 0;    ///< runs from what is repeated to the repeat; 0: no repeat yet
};

}  // namespace physmem::compact
