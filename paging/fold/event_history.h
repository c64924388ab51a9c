// SPDX-License-Identifier: MIT
// The last events of a trace, by number and by time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "paging/model/packed_event.h"

namespace physmem {

/// Numbers count from 1 and are those of the folds. Memory: 64 bytes an event, `capacity` of them.
class EventHistory {
 public:
  static constexpr std::size_t kCapacity = 1'000'000;

  explicit EventHistory(std::size_t capacity = kCapacity) : capacity_(capacity) {}

  /// Times never fall. Returns the event's number.
  std::uint64_t push(const PackedEvent& event);

  /// nullptr: not kept any more, or not there yet.
  const PackedEvent* find(std::uint64_t number) const {
    return number < first() || number >= end() ? nullptr : &events_[(number - 1) % capacity_];
  }
  std::uint64_t first() const { return end_ - events_.size(); }
  std::uint64_t end() const { return end_; }  ///< the number that the next will have
  /// Number of the first event that is later than `time_ms`; end() when none is.
  std::uint64_t after(std::uint32_t time_ms) const;

 private:
  std::size_t capacity_;
  std::vector<PackedEvent> events_;
  std::uint64_t end_ = 1;
};

}  // namespace physmem
