// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/stop_choice.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace physmem {
namespace {

/// Sets that end together, from which some are left out.
class Together {
 public:
  explicit Together(const StopEstimate& estimate) : members_(estimate.sets().size()) {
    for (const auto& [sets, frames] : estimate.shared_frames()) {
      for (const std::uint32_t set : sets) {
        members_[set].parts.push_back(parts_.size());
        members_[set].share += static_cast<double>(frames) / static_cast<double>(sets.size());
      }
      parts_.push_back({frames});
      free_ += frames;
    }
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const StopSet& set = estimate.sets()[i];
      members_[i].kernel = set.free() - set.alone(StopFate::kFree);
      members_[i].share += static_cast<double>(members_[i].kernel);
      free_ += members_[i].kernel;
    }
  }

  double share(std::uint32_t set) const { return members_[set].share; }
  /// Whether `pages` become free without it, too; then it is left out.
  bool leave_out(std::uint32_t set, std::uint64_t pages) {
    std::uint64_t lost = members_[set].kernel;
    for (const std::size_t part : members_[set].parts)
      if (!parts_[part].stays) lost += parts_[part].frames;
    if (free_ - lost < pages) return false;
    for (const std::size_t part : members_[set].parts) parts_[part].stays = true;
    free_ -= lost;
    return true;
  }

 private:
  struct Part {
    std::uint64_t frames = 0;
    bool stays = false;  ///< a set that has it was left out
  };
  struct Member {
    std::vector<std::size_t> parts;
    std::uint64_t kernel = 0;  ///< its page tables, stacks and objects
    double share = 0;
  };
  std::vector<Part> parts_;
  std::vector<Member> members_;
  std::uint64_t free_ = 0;
};

std::optional<std::uint32_t> smallest(const StopEstimate& estimate, std::uint64_t pages) {
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = 0; i < estimate.sets().size(); ++i) {
    const std::uint64_t free = estimate.sets()[i].free();
    if (free >= pages && (!found || free < estimate.sets()[*found].free())) found = i;
  }
  return found;
}

}  // namespace

StopChoice choose_sets(const StopEstimate& estimate, std::uint64_t pages) {
  if (const auto one = smallest(estimate, pages)) return {{*one}, estimate.union_of({*one})};
  Together together(estimate);
  std::vector<std::uint32_t> sets(estimate.sets().size());
  std::iota(sets.begin(), sets.end(), 0U);
  std::ranges::stable_sort(sets, {}, [&](std::uint32_t set) { return together.share(set); });
  std::erase_if(sets, [&](std::uint32_t set) {
    return together.share(set) == 0 || together.leave_out(set, pages);
  });
  std::ranges::reverse(sets);
  StopSet all = estimate.union_of({sets.begin(), sets.end()});
  return {std::move(sets), std::move(all)};
}

}  // namespace physmem
