// SPDX-License-Identifier: MIT
// Paging rates per second, and per minute for older times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "paging/model/packed_event.h"

namespace physmem {

struct PagingRate {
  std::uint32_t begin_ms = 0;
  std::uint32_t ins = 0;
  std::uint32_t outs = 0;
  std::uint32_t major = 0;
  std::uint64_t service_us = 0;  ///< sum over `timed`
  std::uint32_t timed = 0;       ///< swap-ins whose service time is known

  std::optional<double> mean_service_us() const {
    if (timed == 0) return {};
    return static_cast<double>(service_us) / timed;
  }
};

/// Seconds and minutes have no gaps, from the first to the present. At most 3600 seconds and 10080
/// minutes (a week) are kept, 700 KiB.
class PagingRates {
 public:
  static constexpr std::size_t kMaxSeconds = 3600;
  static constexpr std::size_t kMaxMinutes = 10080;

  void apply(const PackedEvent& event);
  /// No event happened until `now_ms`.
  void advance(std::uint32_t now_ms);

  const std::deque<PagingRate>& seconds() const { return seconds_; }
  /// Whole minutes that are no longer completely in `seconds`.
  const std::deque<PagingRate>& minutes() const { return minutes_; }

 private:
  static void advance(std::deque<PagingRate>& rates, std::uint32_t now_ms, std::uint32_t step_ms,
                      std::size_t limit);

  std::deque<PagingRate> seconds_;
  std::deque<PagingRate> minutes_;
};

}  // namespace physmem
