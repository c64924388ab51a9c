// SPDX-License-Identifier: MIT
// Recent moves of a process or a block of memory.
#pragma once

#include <array>
#include <cstdint>

namespace physmem {

/// Moves of the last few seconds.
class RecentMoves {
 public:
  static constexpr std::uint32_t kSeconds = 4;

  void add(std::uint32_t time_ms, bool is_in);
  struct Rate {
    double ins = 0;  ///< per second
    double outs = 0;
  };
  /// Mean over the elapsed part of this second and the three seconds before.
  Rate rate(std::uint32_t now_ms) const;
  struct Sums {
    std::uint32_t ins = 0;
    std::uint32_t outs = 0;
  };
  /// Sums over the elapsed part of this second and the second before.
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
