// SPDX-License-Identifier: MIT
#include "top/sample/walk_plan.h"

#include <algorithm>
#include <tuple>

namespace physmem::top {
namespace {

/// Higher is earlier: the kind, then the urgency within it.
std::tuple<int, double> priority(const WalkCandidate& candidate) {
  if (!candidate.age_ns) return {2, static_cast<double>(candidate.pages)};
  const auto age = static_cast<double>(*candidate.age_ns);
  if (candidate.changes != 0) return {1, age * static_cast<double>(candidate.changes)};
  return {0, age};
}

bool is_due(const WalkCandidate& candidate) {
  return !candidate.age_ns || candidate.changes != 0 || *candidate.age_ns >= kUnchangedAgeNs;
}

}  // namespace

void WalkCost::add_measurement(std::uint64_t processes, std::uint64_t pages, std::uint64_t cpu_ns) {
  constexpr std::uint64_t kMinPages = 1000;  // fewer say little about the cost per page
  if (pages < kMinPages) return;
  const std::uint64_t of_processes = std::min(cpu_ns, processes * kProcessNs);
  const double measured = static_cast<double>(cpu_ns - of_processes) / static_cast<double>(pages);
  page_ns_ = (3 * page_ns_ + measured) / 4;
}

void WalkBudget::add_time(std::uint64_t elapsed_ns) {
  left_ns_ += static_cast<std::int64_t>(share_ * static_cast<double>(elapsed_ns));
  left_ns_ = std::min(left_ns_, is_at_start_ ? kStartNs : kMaxKeptNs);
}

std::vector<collect::Pid> plan_walks(std::vector<WalkCandidate> candidates, std::int64_t budget_ns,
                                     const WalkCost& cost) {
  std::erase_if(candidates, [](const WalkCandidate& candidate) { return !is_due(candidate); });
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return priority(a) > priority(b); });
  std::vector<collect::Pid> chosen;
  for (const WalkCandidate& candidate : candidates) {
    if (budget_ns <= 0) break;
    const auto its_cost = static_cast<std::int64_t>(cost.of(candidate.pages));
    // A process that the rest of the budget cannot pay waits until it is the first one.
    if (!chosen.empty() && its_cost > budget_ns) continue;
    chosen.push_back(candidate.pid);
    budget_ns -= its_cost;
  }
  return chosen;
}

}  // namespace physmem::top
