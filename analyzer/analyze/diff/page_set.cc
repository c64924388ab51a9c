// SPDX-License-Identifier: MIT
#include "analyzer/analyze/diff/page_set.h"

#include <algorithm>

namespace physmem {

/// The page number after the run's last page.
std::uint64_t PageSet::end_of(std::size_t run) const {
  const std::size_t end = run + 1 < runs_.size() ? runs_[run + 1].index : pages_.size();
  return runs_[run].first + (end - runs_[run].index);
}

bool PageSet::is_in_run(std::uint64_t number) const {
  return run_ < runs_.size() && number >= runs_[run_].first && number < end_of(run_);
}

std::optional<PageSet::Page> PageSet::find(std::uint64_t number) {
  if (!is_in_run(number)) {
    const auto after = std::partition_point(runs_.begin(), runs_.end(),
                                            [&](const Run& run) { return run.first <= number; });
    if (after == runs_.begin()) return std::nullopt;
    run_ = static_cast<std::size_t>(after - runs_.begin()) - 1;
    if (!is_in_run(number)) return std::nullopt;
  }
  const std::uint64_t page = pages_[runs_[run_].index + (number - runs_[run_].first)];
  return Page{page >> 1, (page & 1) != 0};
}

void PageSet::shrink(std::size_t size) {
  pages_.resize(size);
  while (!runs_.empty() && runs_.back().index >= size) runs_.pop_back();
}

}  // namespace physmem
