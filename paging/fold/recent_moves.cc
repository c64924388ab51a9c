// SPDX-License-Identifier: MIT
#include "paging/fold/recent_moves.h"

#include <algorithm>

namespace physmem {

void RecentMoves::add(std::uint32_t time_ms, bool is_in) {
  const std::uint32_t second = time_ms / 1000;
  Second& entry = seconds_[second % kSeconds];
  if (entry.second != second) entry = {second, 0, 0};
  ++(is_in ? entry.ins : entry.outs);
}

RecentMoves::Rate RecentMoves::rate(std::uint32_t now_ms) const {
  const std::uint32_t now = now_ms / 1000;
  double ins = 0;
  double outs = 0;
  for (const Second& entry : seconds_) {
    if (entry.second > now || now - entry.second >= kSeconds) continue;
    ins += entry.ins;
    outs += entry.outs;
  }
  // At the beginning of a trace, three previous seconds do not exist.
  const double before = now < kSeconds - 1 ? now : kSeconds - 1;
  const double span = std::max(1.0, before + static_cast<double>(now_ms % 1000) / 1000);
  return {ins / span, outs / span};
}

RecentMoves::Sums RecentMoves::latest(std::uint32_t now_ms) const {
  const std::uint32_t now = now_ms / 1000;
  Sums sums;
  for (const Second& entry : seconds_) {
    if (entry.second > now || now - entry.second > 1) continue;
    sums.ins += entry.ins;
    sums.outs += entry.outs;
  }
  return sums;
}

}  // namespace physmem
