// SPDX-License-Identifier: MIT
#include "analyzer/analyze/owner_directory.h"

#include <algorithm>

namespace physmem {

void OwnerDirectory::on_task(const Task& task) {
  comms_.emplace(task.pid, task.comm);
}

RamOwner OwnerDirectory::add(RamOwner owner) {
  ids_.push_back(owner.id);
  mounts_.on_owner(owner);
  if (owner.kind == RamOwner::Kind::kFile) owner.name = mounts_.path_of(owner);
  if (owner.kind != RamOwner::Kind::kTask) return owner;
  if (const auto comm = comms_.find(owner.number); comm != comms_.end()) owner.name = comm->second;
  return owner;
}

std::optional<std::size_t> OwnerDirectory::find(std::uint64_t id) const {
  if (id == 0) return std::nullopt;
  if (id <= ids_.size() && ids_[id - 1] == id) return id - 1;
  const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
  if (found == ids_.end() || *found != id) return std::nullopt;
  return static_cast<std::size_t>(found - ids_.begin());
}

}  // namespace physmem
