// SPDX-License-Identifier: MIT
// Groups of processes: those of one command, user, cgroup, program or tree.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/analyze/analysis.h"

namespace physmem {

/// kTree: a process that init started, or whose parent is not known, with all below it.
enum class UseGrouping { kProcess, kName, kUser, kCgroup, kUnit, kProgram, kTree };

/// The program file, as the process maps it. Empty: unknown.
std::string program_path(const Process& process);

/// The path of its cgroup. Empty: unknown.
std::string cgroup_of(const Process& process);

/// Numbers groups in the order in which they are found. A parent may come after its children, so
/// each process of kTree has a group of its own until join_trees().
class ProcessGroups {
 public:
  using Key = std::pair<std::string, std::uint64_t>;  ///< the second of kUser: uid + 1
  using Numbers = std::map<Key, std::uint32_t>;

  explicit ProcessGroups(UseGrouping grouping) : grouping_(grouping) {}

  UseGrouping grouping() const { return grouping_; }
  void clear();
  void on_task(const Task& task);
  /// The number of the group of this process.
  std::uint32_t add(const Process& process);
  /// In the order of their keys.
  const Numbers& numbers() const { return numbers_; }

  /// The tree of each group so far. After that, keys are ids of the first process of each tree.
  std::vector<std::uint32_t> join_trees();
  /// The command of a process; empty: unknown. Only with kTree.
  std::string name_of(std::uint64_t pid) const;

 private:
  Key key_of(const Process& process) const;
  std::uint64_t root_of(std::uint64_t pid);

  UseGrouping grouping_;
  Numbers numbers_;
  struct Parent {
    std::uint64_t pid = 0;
    std::string name;  ///< of the child
  };
  std::unordered_map<std::uint64_t, Parent> parents_;       ///< of kTree, by process id
  std::unordered_map<std::uint64_t, std::uint64_t> roots_;  ///< those that were found
};

}  // namespace physmem
