// SPDX-License-Identifier: MIT
#include "collector-proc/group_pressure.h"

#include <fcntl.h>

#include <functional>

#include "collector-proc/text_cursor.h"

namespace physmem::collect {

GroupPressure::GroupPressure(const std::string& sys)
    : root_(open_dir_at(AT_FDCWD, (sys + "/fs/cgroup").c_str())) {}

void GroupPressure::begin_snapshot(std::optional<std::uint64_t> stalled_us) {
  is_quiet_ = stalled_us && stalled_us == stalled_us_;
  stalled_us_ = stalled_us;
  times_.clear();
}

// A limit above the group holds its tasks back, too, and is counted there. A group without the
// memory controller has no such file.
std::optional<std::uint64_t> GroupPressure::held_back(const std::string& cgroup) {
  std::optional<std::uint64_t> sum;
  for (std::string group = cgroup.substr(1); !group.empty();) {
    if (read_at(root_.get(), (group + "/memory.events.local").c_str(), buffer_) == Access::kRead)
      if (const auto own = number_of_line(buffer_.text(), "high ")) sum = sum.value_or(0) + *own;
    const std::size_t slash = group.rfind('/');
    group.resize(slash == std::string::npos ? 0 : slash);
  }
  return sum;
}

// A group outside of the reader's namespace has a path that begins with "/..".
std::vector<Counter> GroupPressure::first(const std::string& cgroup) {
  std::vector<Counter> counters;
  const bool is_below_root = cgroup.size() > 1 && !cgroup.starts_with("/..");
  if (!root_ || is_quiet_ || !is_below_root || times_[std::hash<std::string>()(cgroup)]++ != 0)
    return counters;
  const std::string file = cgroup.substr(1) + "/memory.pressure";
  if (read_at(root_.get(), file.c_str(), buffer_) != Access::kRead) return counters;
  parse_pressure(buffer_.text(), "group.", counters);
  if (const auto times = held_back(cgroup)) counters.push_back({"group.high", *times});
  return counters;
}

}  // namespace physmem::collect
