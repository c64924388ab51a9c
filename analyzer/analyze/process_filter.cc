// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process_filter.h"

namespace physmem {
namespace {

bool fits(const std::vector<NamePattern>& patterns, const std::string& name) {
  return patterns.empty() ||
         std::any_of(patterns.begin(), patterns.end(),
                     [&](const auto& pattern) { return pattern.matches(name); });
}

}  // namespace

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

bool ProcessFilter::has(const Task& task) const {
  if (observers.empty() && is_all()) return true;
  const auto& identity = task.identity;
  return has(identity ? identity->tgid : task.pid,
             identity ? std::optional(identity->uid) : std::nullopt, task.comm,
             task.group ? task.group->cgroup : "");
}

bool ProcessFilter::has(std::uint64_t pid, std::optional<std::uint64_t> uid,
                        const std::string& name, const std::string& cgroup) const {
  if (observers.count(pid) != 0) return false;
  const bool fits_id = pids.empty() || pids.count(pid) != 0;
  const bool fits_name = fits(names, name);
  if (has_ids_or_names ? !fits_id && !fits_name : !fits_id || !fits_name) return false;
  return (users.empty() || (uid && users.count(*uid) != 0)) && fits_group(cgroups, cgroup);
}

}  // namespace physmem
