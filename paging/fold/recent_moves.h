// SPDX-License-Identifier: MIT
// What a process or a block of memory did of late.
#pragma once

#include <array>
#include <cstdint>

namespace physmem {

/// Moves of the last seconds.
class RecentMoves {
 public:
  static constexpr std::uint32_t kSeconds = 4;

  void add(std::uint32_t time_ms, bool is_in);
  struct Rate {
    double ins = 0;  ///< a second
    double outs = 0;
  };
  /// Mean over this second, as far as it has gone, and the three before.
  Rate rate(std::uint32_t now_ms) const;
  struct Sums {
    std::uint32_t ins = 0;
    std::uint32_t outs = 0;
  };
  /// Of this second, as far as it has gone, and the one before.
  Sums latest(std::uint32_t now_ms) const;

 private:
  struct Second {
    std::uint32_t second = 0;
    std::uint32_t ins = 0;
    std::uint32_t outs = 0;
  };
  std::array<Second, kSeconds> seconds_;  ///< by second % kSeconds
};

}  // namespace physmem
