// SPDX-License-Identifier: MIT
// The rounds of the last hour, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "top/model/round.h"

namespace physmem::top {

/// Bounds of a history. Rounds older than `dense_ns` are thinned to one per `sparse_ns`. The oldest
/// are dropped after `max_age_ns`, or earlier if all rounds together have more than `max_bytes`.
struct HistoryLimits {
  std::uint64_t max_age_ns = 3'600'000'000'000;
  std::uint64_t dense_ns = 600'000'000'000;
  std::uint64_t sparse_ns = 10'000'000'000;
  std::size_t max_bytes = std::size_t{64} << 20;

  /// Keeps everything, for a replay.
  static HistoryLimits none();
};

class History {
 public:
  explicit History(HistoryLimits limits = {}) : limits_(limits) {}

  void add(Round round);

  bool is_empty() const { return rounds_.empty(); }
  std::size_t size() const { return rounds_.size(); }
  const Round& at(std::size_t index) const { return rounds_[index].round; }
  const Round& latest() const { return rounds_.back().round; }

  /// A round keeps its number when others are dropped. The first round has number 0.
  std::uint64_t number(std::size_t index) const { return rounds_[index].number; }
  /// The index of the round with this number, or of the next one that is kept.
  std::size_t index_of(std::uint64_t number) const;
  std::size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    std::uint64_t number = 0;
    std::size_t bytes = 0;  ///< of what the round does not share with the one before it
    Round round;
  };

  void thin();
  void drop(std::size_t index);

  HistoryLimits limits_;
  std::deque<Entry> rounds_;
  std::uint64_t next_number_ = 0;
  std::size_t bytes_ = 0;
  std::uint64_t thinned_until_ns_ = 0;  ///< uptime; rounds before it are one per sparse_ns
};

}  // namespace physmem::top
