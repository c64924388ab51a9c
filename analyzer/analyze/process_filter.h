// SPDX-License-Identifier: MIT
// Which processes the user asks for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analyze/name_pattern.h"
#include "analyzer/model/task.h"

namespace physmem {

/// Empty lists select everything. A process must fit all lists, and one entry of each.
struct ProcessFilter {
  std::set<std::uint64_t> pids = {};
  std::vector<NamePattern> names = {};
  std::set<std::uint64_t> users = {};
  /// A process must fit `pids` or `names`, not both.
  bool has_ids_or_names = false;
  /// A cgroup matches with those below it.
  std::vector<NamePattern> cgroups = {};
  /// Processes that are left out without being missed: those that took the snapshot.
  std::set<std::uint64_t> observers = {};
  /// Also the one that the snapshot names as its collector.
  bool leaves_out_collector = false;

  bool is_all() const { return pids.empty() && names.empty() && users.empty() && cgroups.empty(); }
  bool has_patterns() const { return !names.empty() || !users.empty() || !cgroups.empty(); }
  /// `task`: the process's first, which names it, or one of its threads.
  bool has(const Task& task) const;
  /// The same for a process that is known by these facts.
  bool has(std::uint64_t pid, std::optional<std::uint64_t> uid, const std::string& name,
           const std::string& cgroup) const;
};

/// Whether a pattern fits the cgroup, or one that it is in: "/a/b", "/a", "/". No patterns fit all.
bool fits_group(const std::vector<NamePattern>& patterns, std::string group);

}  // namespace physmem
