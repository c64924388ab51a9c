// SPDX-License-Identifier: MIT
#include "analyzer/shape/diff_groups.h"

#include <fmt/format.h>

#include <map>

namespace physmem {
namespace {

std::string name_of(const ProcessChange& row, UseGrouping group, const UseView& use) {
  if (group == UseGrouping::kName) return row.name;
  if (group == UseGrouping::kCgroup) return row.cgroup.empty() ? "(unknown)" : row.cgroup;
  return row.user ? use.user(*row.user) : "(unknown)";
}

}  // namespace

std::vector<GroupChange> grouped(const SnapshotDiff& diff, UseGrouping group, const UseView& use) {
  std::map<std::string, GroupChange> groups;
  for (const ProcessChange& row : diff.processes()) {
    GroupChange& sum = groups[name_of(row, group, use)];
    ++sum.processes;
    sum.change += row.change;
  }
  std::vector<GroupChange> rows;
  for (auto& [name, sum] : groups) {
    sum.name = name;
    rows.push_back(std::move(sum));
  }
  return rows;
}

const char* title_of(UseGrouping group) {
  return group == UseGrouping::kName ? "Command" : group == UseGrouping::kUser ? "User" : "Cgroup";
}

}  // namespace physmem
