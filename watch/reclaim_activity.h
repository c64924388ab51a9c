// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "analyzer/parse/events.h"

namespace physmem::watch {

/// Does the kernel look for pages to evict? Told by two samples that follow each other.
class ReclaimActivity : public Events {
 public:
  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;

  /// Pages are scanned; or tasks wait for memory all the same: a control group at its limit
  /// reclaims its own pages, which /proc/vmstat does not count.
  bool is_going_on() const;
  double seconds() const;        ///< between the two
  double scanned_rate() const;   ///< pages a second
  double stalled_share() const;  ///< of the time: some task waited for memory
  std::uint64_t time_ns() const { return now_.time_ns; }
  /// The next sample has none before it.
  void forget() { has_sample_ = false; }

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
