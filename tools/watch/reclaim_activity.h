// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "analyzer/parse/events.h"

namespace physmem::watch {

/// Decides from two consecutive samples whether the kernel reclaims pages.
class ReclaimActivity : public Events {
 public:
  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;

  /// True if pages are scanned, for the system or for cgroups at their limits, or if tasks
  /// wait for memory, as memory.high of a group makes them.
  bool is_going_on() const;
  double seconds() const;        ///< between the two samples
  double scanned_rate() const;   ///< pages per second
  double stalled_share() const;  ///< fraction of time in which some task waited for memory
  std::uint64_t time_ns() const { return now_.time_ns; }
  /// Discards the samples, so that the next one is the first.
  void reset() { has_sample_ = false; }

 private:
  struct Sample {
    std::uint64_t time_ns = 0;  ///< since 1970
    std::uint64_t uptime_ns = 0;
    std::uint64_t scanned = 0;
    std::uint64_t stalled_us = 0;
  };

  bool has_sample_ = false;
  std::optional<Sample> before_;
  Sample now_;
};

}  // namespace physmem::watch
