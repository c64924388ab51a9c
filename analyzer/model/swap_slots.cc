// SPDX-License-Identifier: MIT
#include "analyzer/model/swap_slots.h"

#include <algorithm>

namespace physmem {

void SwapSlots::add(const Run& run) {
  entries_ += run.pages;
  if (!runs_.empty() && runs_.back().device == run.device && runs_.back().end() == run.first)
    runs_.back().pages += run.pages;
  else
    runs_.push_back(run);
}

void SwapSlots::add(std::span<const SwapEntry> entries) {
  for (const SwapEntry& entry : entries) add({entry.type, entry.slot, 1});
}

SwapSlots& SwapSlots::operator+=(const SwapSlots& other) {
  for (const Run& run : other.runs_) add(run);
  return *this;
}

std::uint64_t SwapSlots::distinct() const {
  std::vector<Run> runs = runs_;
  std::ranges::sort(runs, std::less<>());
  std::uint64_t distinct = 0;
  Run last;  // without pages
  for (const Run& run : runs) {
    const std::uint64_t first =
        run.device == last.device ? std::max(run.first, last.end()) : run.first;
    if (first >= run.end()) continue;
    distinct += run.end() - first;
    last = run;
  }
  return distinct;
}

SwapShares::SwapShares(const SwapSlots& all) {
  std::vector<std::pair<Slot, std::int64_t>> changes;
  for (const SwapSlots::Run& run : all.runs()) {
    changes.push_back({{run.device, run.first}, 1});
    changes.push_back({{run.device, run.end()}, -1});
  }
  std::ranges::sort(changes);
  std::int64_t entries = 0;
  for (const auto& [at, change] : changes) {
    entries += change;
    if (steps_.empty() || steps_.back().at != at) steps_.push_back({at, 0, before(at)});
    steps_.back().entries = static_cast<std::uint64_t>(entries);
  }
}

/// Between devices no slot has an entry, so the distance of their slots does not matter.
PageShare SwapShares::before(const Slot& slot) const {
  auto next = std::ranges::upper_bound(steps_, slot, {}, &Step::at);
  if (next == steps_.begin()) return {};
  const Step& step = *std::prev(next);
  if (step.entries == 0) return step.before;
  const std::uint64_t pages = slot.second - step.at.second;
  return PageShare{step.before.scaled + pages * PageShare::of(step.entries).scaled};
}

PageShare SwapShares::of(const SwapSlots& some) const {
  PageShare sum;
  for (const SwapSlots::Run& run : some.runs())
    sum.scaled += before({run.device, run.end()}).scaled - before({run.device, run.first}).scaled;
  return sum;
}

}  // namespace physmem
