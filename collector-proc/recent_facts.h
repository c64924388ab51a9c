// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>

#include "collector-proc/proc_tree.h"

namespace physmem::collect {

/// A cache for a property of tasks that seldom changes and is expensive to read. A task is
/// identified by its id and start time.
template <class Fact>
class RecentFacts {
 public:
  /// Erases everything that was read before the given time.
  void erase_before(std::uint64_t moment_ns) {
    std::erase_if(facts_, [&](const auto& entry) { return entry.second.read_ns < moment_ns; });
  }
  /// Returns nothing if it has to be read.
  const Fact* find(Pid task, std::uint64_t start_time) const {
    const auto found = facts_.find(task);
    return found != facts_.end() && found->second.start_time == start_time ? &found->second.fact
                                                                           : nullptr;
  }
  void remember(Pid task, std::uint64_t start_time, std::uint64_t now_ns, Fact fact) {
    facts_[task] = {start_time, now_ns, std::move(fact)};
  }

 private:
  struct Entry {
    std::uint64_t start_time = 0;
    std::uint64_t read_ns = 0;
    Fact fact{};
  };
  std::unordered_map<Pid, Entry> facts_;
};

}  // namespace physmem::collect
