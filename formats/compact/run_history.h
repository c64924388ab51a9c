// SPDX-License-Identifier: MIT
// Processes have libraries in common, and children what their parents had: the same frames, run by run in the same order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "formats/compact/format.h"

namespace physmem::compact {

/// A run as it is told: addresses relative to where the last one ended, so that it may come again elsewhere.
struct PastRun {
  std::uint64_t gap = 0;  ///< pages
  std::uint64_t place = 0;
  std::uint64_t pages = 0;
  bool is_down = false;
  std::uint64_t use = 0;  ///< of the dictionary

  bool operator==(const PastRun&) const = default;
};

/// The last runs, and which one will come when history repeats: the one that came behind the last that began at the same place.
class RunHistory {
 public:
  RunHistory() : runs_(kMostPast), latest_(kMostPast) {}

  /// Nothing when nothing is expected.
  const PastRun* expected() const { return has(cursor_) ? &runs_[cursor_ % kMostPast] : nullptr; }

  void add(const PastRun& run) {
    std::uint64_t& latest = latest_[slot_of(run.place)];
    const bool is_known = has(latest) && runs_[latest % kMostPast].place == run.place;
    cursor_ = (is_known ? latest : cursor_) + 1;
    latest = count_;
    runs_[count_++ % kMostPast] = run;
  }

  void forget() { oldest_ = count_; }

 private:
  /// The upper 16 bits of the product.
  static std::size_t slot_of(std::uint64_t place) { return place * kOdd >> 48; }
  static_assert(kMostPast == 1 << 16);

  bool has(std::uint64_t i) const { return i >= oldest_ && i < count_ && count_ - i <= kMostPast; }

  std::vector<PastRun> runs_;
  std::vector<std::uint64_t> latest_;  ///< by slot: the number of the last run there
  std::uint64_t count_ = 0;            ///< of all runs, the next one's number
  std::uint64_t oldest_ = 0;           ///< that is not forgotten
  std::uint64_t cursor_ = 0;
};

}  // namespace physmem::compact
