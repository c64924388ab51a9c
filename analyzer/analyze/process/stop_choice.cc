// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/stop_choice.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>

namespace physmem {
namespace {

/// Numbers of the sets that free something, the largest first.
std::vector<std::uint32_t> candidates(const StopEstimate& estimate) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < estimate.sets().size(); ++i)
    if (estimate.sets()[i].unread == 0 && estimate.sets()[i].free() != 0) found.push_back(i);
  std::ranges::stable_sort(found, std::greater<>(),
                           [&](std::uint32_t i) { return estimate.sets()[i].free(); });
  return found;
}

}  // namespace

StopChoice choose_sets(const StopEstimate& estimate, std::uint64_t pages) {
  std::vector<std::uint32_t> sets = candidates(estimate);
  const auto too_small = std::ranges::partition_point(
      sets, [&](std::uint32_t i) { return estimate.sets()[i].free() >= pages; });
  if (too_small != sets.begin()) {
    const std::uint32_t one = *std::prev(too_small);
    return {{one}, estimate.union_of({one})};
  }
  const auto first = [&](std::size_t count) {
    const auto end = sets.begin() + static_cast<std::ptrdiff_t>(count);
    return estimate.union_of({sets.begin(), end});
  };
  std::size_t below = 0, count = sets.size();  // `below` are too few; `count` is enough, or all
  while (count - below > 1) {
    const std::size_t middle = below + (count - below) / 2;
    (first(middle).free() >= pages ? count : below) = middle;
  }
  StopSet all = first(count);
  sets.resize(count);
  return {std::move(sets), std::move(all)};
}

}  // namespace physmem
