// SPDX-License-Identifier: MIT
// Pages in swap, of a process or of a group of them. After a fork, several processes have the same
// slot: its page is in swap once.
#pragma once

#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/model/page_run.h"
#include "analyzer/model/units.h"

namespace physmem {

/// S: entries. Memory: 24 bytes per run of entries with ascending slots.
class SwapSlots {
 public:
  struct Run {
    std::uint64_t device = 0;
    std::uint64_t first = 0;
    std::uint64_t pages = 0;

    std::uint64_t end() const { return first + pages; }
    bool operator<(const Run& other) const {
      return std::tie(device, first) < std::tie(other.device, other.first);
    }
  };

  void add(std::span<const SwapEntry> entries);
  SwapSlots& operator+=(const SwapSlots& other);

  std::uint64_t entries() const { return entries_; }
  /// Slots that at least one of the entries has.
  std::uint64_t distinct() const;
  const std::vector<Run>& runs() const { return runs_; }

 private:
  void add(const Run& run);

  std::vector<Run> runs_;
  std::uint64_t entries_ = 0;
};

/// Divides each slot by the entries that have it, as SwapPss in smaps.
class SwapShares {
 public:
  /// all: the entries of all processes.
  explicit SwapShares(const SwapSlots& all);
  /// The share of entries that are part of `all`.
  PageShare of(const SwapSlots& some) const;

 private:
  using Slot = std::pair<std::uint64_t, std::uint64_t>;  ///< device and slot

  /// A place where the number of entries changes, with the shares of one entry in each slot before.
  struct Step {
    Slot at;
    std::uint64_t entries = 0;  ///< of each slot from here on
    PageShare before;
  };
  PageShare before(const Slot& slot) const;

  std::vector<Step> steps_;
};

}  // namespace physmem
