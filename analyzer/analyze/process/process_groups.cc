// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/process_groups.h"

#include <utility>

#include "formats/emit/flags.h"

namespace physmem {
namespace {

constexpr const char* kNoProgram = "[no program]";

}  // namespace

std::string program_path(const Process& process) {
  for (const Area& area : process.areas)
    if (area.vma.is(PM_VMA_EXECUTABLE) && has_file(area.vma)) return area.vma.unit.text();
  return {};
}

std::string cgroup_of(const Process& process) {
  return process.task.group ? process.task.group->cgroup : "";
}

void ProcessGroups::clear() {
  numbers_.clear();
  parents_.clear();
  roots_.clear();
}

void ProcessGroups::on_task(const Task& task) {
  if (grouping_ == UseGrouping::kTree && task.identity && task.identity->tgid == task.pid)
    parents_[task.pid] = {task.identity->ppid, task.comm};
}

ProcessGroups::Key ProcessGroups::key_of(const Process& process) const {
  switch (grouping_) {
    case UseGrouping::kProcess:
    case UseGrouping::kTree:
      return {"", process.pid()};
    case UseGrouping::kProgram: {
      const std::string program = program_path(process);
      return {program.empty() ? kNoProgram : program, 0};
    }
    case UseGrouping::kUser:
      return {"", process.task.identity ? process.task.identity->uid + 1 : 0};
    case UseGrouping::kCgroup:
      return {cgroup_of(process), 0};
    default:
      return {process.task.comm, 0};
  }
}

std::uint32_t ProcessGroups::add(const Process& process) {
  const auto number = static_cast<std::uint32_t>(numbers_.size());
  return numbers_.emplace(key_of(process), number).first->second;
}

/// The highest process above it that is known, but for process 1.
std::uint64_t ProcessGroups::root_of(std::uint64_t pid) {
  constexpr std::uint64_t kInit = 1;
  std::vector<std::uint64_t> path;
  std::uint64_t root = pid;
  // In a malformed snapshot, processes may be each other's parents: then the first one is the root.
  while (roots_.try_emplace(root, root).second) {
    path.push_back(root);
    const auto found = parents_.find(root);
    if (found == parents_.end() || found->second.pid == kInit) break;
    if (!parents_.contains(found->second.pid)) break;
    root = found->second.pid;
  }
  root = roots_[root];
  for (const std::uint64_t below : path) roots_[below] = root;
  return root;
}

std::vector<std::uint32_t> ProcessGroups::join_trees() {
  Numbers trees;
  std::vector<std::uint32_t> joined(numbers_.size());
  for (const auto& [key, number] : numbers_) {
    const auto next = static_cast<std::uint32_t>(trees.size());
    joined[number] = trees.emplace(Key{"", root_of(key.second)}, next).first->second;
  }
  numbers_ = std::move(trees);
  return joined;
}

std::string ProcessGroups::name_of(std::uint64_t pid) const {
  const auto found = parents_.find(pid);
  return found == parents_.end() ? "" : found->second.name;
}

}  // namespace physmem
