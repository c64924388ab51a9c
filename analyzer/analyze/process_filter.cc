// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process_filter.h"

namespace physmem {
namespace {

bool fits(const std::vector<NamePattern>& patterns, const std::string& name) {
  return patterns.empty() ||
         std::any_of(patterns.begin(), patterns.end(),
                     [&](const auto& pattern) { return pattern.matches(name); });
}

/// Whether the group or one that it is in fits: "/a/b", "/a", "/".
bool fits_group(const std::vector<NamePattern>& patterns, std::string group) {
  if (patterns.empty()) return true;
  while (!group.empty()) {
    if (fits(patterns, group)) return true;
    const std::size_t slash = group.rfind('/');
    if (slash == std::string::npos || group == "/") break;
    group.resize(std::max<std::size_t>(slash, 1));
  }
  return false;
}

}  // namespace

bool ProcessFilter::has(const Task& task) const {
  const std::uint64_t pid = task.identity ? task.identity->tgid : task.pid;
  if (observers.count(pid) != 0) return false;
  if (is_all()) return true;
  if (!pids.empty() && pids.count(pid) == 0) return false;
  if (!users.empty() && (!task.identity || users.count(task.identity->uid) == 0)) return false;
  return fits(names, task.comm) && fits_group(cgroups, task.group ? task.group->cgroup : "");
}

}  // namespace physmem
