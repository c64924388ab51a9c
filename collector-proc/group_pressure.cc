// SPDX-License-Identifier: MIT
#include "collector-proc/group_pressure.h"

#include <fcntl.h>

#include "collector-proc/text_cursor.h"

namespace physmem::collect {
namespace {

/// A group outside of the reader's namespace has a path that begins with "/..".
bool is_below_root(const std::string& cgroup) {
  return cgroup.size() > 1 && cgroup.front() == '/' && !cgroup.starts_with("/..");
}

std::string file_of(const std::string& cgroup, const char* name) {
  return cgroup.substr(1) + "/" + name;
}

}  // namespace

GroupPressure::GroupPressure(const std::string& sys)
    : root_(open_dir_at(AT_FDCWD, (sys + "/fs/cgroup").c_str())) {}

void GroupPressure::begin_snapshot() {
  met_.clear();
  held_back_.clear();
}

std::vector<Counter> GroupPressure::first(const std::string& cgroup) {
  std::vector<Counter> counters;
  if (!root_ || !is_below_root(cgroup) || !met_.insert(cgroup).second) return counters;
  if (read_at(root_.get(), file_of(cgroup, "memory.pressure").c_str(), buffer_) != Access::kRead)
    return counters;
  parse_pressure(buffer_.text(), "group.", counters);
  if (const auto times = held_back(cgroup)) counters.push_back({"group.high", *times});
  return counters;
}

// A limit above the group holds its tasks back, too, and is counted there. A group without the
// memory controller has no such file.
std::optional<std::uint64_t> GroupPressure::held_back(const std::string& cgroup) {
  if (!is_below_root(cgroup)) return std::nullopt;
  const auto known = held_back_.find(cgroup);
  if (known != held_back_.end()) return known->second;
  std::optional<std::uint64_t> sum = held_back(cgroup.substr(0, cgroup.rfind('/')));
  if (read_at(root_.get(), file_of(cgroup, "memory.events.local").c_str(), buffer_) ==
      Access::kRead)
    if (const auto own = number_of_line(buffer_.text(), "high ")) sum = sum.value_or(0) + *own;
  held_back_.emplace(cgroup, sum);
  return sum;
}

}  // namespace physmem::collect
