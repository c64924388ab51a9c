// SPDX-License-Identifier: MIT
// Decides which processes' pages are read in a round, within a budget of CPU time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "collector-proc/proc_tree.h"

namespace physmem::top {

struct WalkCandidate {
  collect::Pid pid = 0;
  std::uint64_t pages = 0;                   ///< resident
  std::uint64_t changes = 0;                 ///< faults and change of RSS since the last walk
  std::optional<std::uint64_t> age_ns = {};  ///< of the last walk; nothing: never read
};

/// A process whose pages did not change is read again after this time, because others may have
/// begun or ended to share its pages.
inline constexpr std::uint64_t kUnchangedAgeNs = 30'000'000'000;

/// Estimates the CPU time of walks from those that were measured.
class WalkCost {
 public:
  std::uint64_t of(std::uint64_t pages) const {
    return kProcessNs + static_cast<std::uint64_t>(page_ns_ * static_cast<double>(pages));
  }
  void add_measurement(std::uint64_t processes, std::uint64_t pages, std::uint64_t cpu_ns);

 private:
  static constexpr std::uint64_t kProcessNs = 100'000;  ///< for maps and some 50 areas
  double page_ns_ = 300;
};

/// The CPU time that walks may take: a share of one core. It begins with one second, so that the
/// pages of all processes are soon read once. What is left of it is for nothing else: afterwards,
/// unused time is kept up to 0.1 s. A process that takes longer than a round has a turn, and others
/// wait afterwards.
class WalkBudget {
 public:
  explicit WalkBudget(double share) : share_(share) {}

  void add_time(std::uint64_t elapsed_ns);
  /// The start of a plan: processes that were never read, and those that were chosen, which are the
  /// unread ones first. The start ends when all of them were chosen. Processes that begin later do
  /// not extend it.
  void take_plan(std::size_t unread, std::size_t chosen) {
    is_at_start_ = is_at_start_ && chosen < unread;
  }
  void spend(std::uint64_t cpu_ns) { left_ns_ -= static_cast<std::int64_t>(cpu_ns); }
  std::int64_t left_ns() const { return left_ns_; }

 private:
  static constexpr std::int64_t kStartNs = 1'000'000'000;
  static constexpr std::int64_t kMaxKeptNs = 100'000'000;

  double share_;
  bool is_at_start_ = true;
  std::int64_t left_ns_ = kStartNs;
};

/// Chooses processes until their estimated cost reaches the budget; at least one, if there is any
/// budget. Those that were never read come first, the largest of them before others. Then those
/// that changed, by changes × age. Then those that are older than kUnchangedAgeNs.
std::vector<collect::Pid> plan_walks(std::vector<WalkCandidate> candidates, std::int64_t budget_ns,
                                     const WalkCost& cost);

}  // namespace physmem::top
