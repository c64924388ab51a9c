// SPDX-License-Identifier: MIT
// The last events of a trace, by number and by time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "paging/model/packed_event.h"

namespace physmem {

/// Event numbers start at 1 and are the same as in the folds. Memory: 64 bytes per event, for
/// `capacity` events.
class EventHistory {
 public:
  static constexpr std::size_t kCapacity = 1'000'000;

  explicit EventHistory(std::size_t capacity = kCapacity) : capacity_(capacity) {}

  /// Times must not decrease. Returns the number of the event.
  std::uint64_t push(const PackedEvent& event);

  /// nullptr if the event is no longer kept or has not happened yet.
  const PackedEvent* find(std::uint64_t number) const {
    return number < first() || number >= end() ? nullptr : &events_[(number - 1) % capacity_];
  }
  std::uint64_t first() const { return end_ - events_.size(); }
  std::uint64_t end() const { return end_; }  ///< number of the next event
  /// Number of the first event later than `time_ms`, or end().
  std::uint64_t after(std::uint32_t time_ms) const;

 private:
  std::size_t capacity_;
  std::vector<PackedEvent> events_;
  std::uint64_t end_ = 1;
};

}  // namespace physmem
