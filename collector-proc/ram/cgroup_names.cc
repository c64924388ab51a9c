// SPDX-License-Identifier: MIT
#include "collector-proc/ram/cgroup_names.h"

#include "collector-proc/ram/cgroup_tree.h"

namespace physmem::collect {

void CgroupNames::read() {
  is_read_ = true;
  for_each_cgroup(sys_,
                  [this](const CgroupFolder& group) { paths_.emplace(group.id, group.path); });
}

std::optional<std::string> CgroupNames::path(std::uint64_t id) {
  if (!is_read_) read();
  const auto found = paths_.find(id);
  return found == paths_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace physmem::collect
