// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/shared_objects.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "formats/emit/flags.h"

namespace physmem {
namespace {

constexpr std::string_view kDeletedName = " (deleted)";

bool is_shared_memory(const PageRun& run) {
  constexpr std::uint64_t kOthers =
      PM_PAGE_ANON | PM_PAGE_HUGE | PM_PAGE_ZERO_PAGE | PM_PAGE_NOPAGE;
  return (run.flags & PM_PAGE_SWAPBACKED) != 0 && (run.flags & kOthers) == 0;
}

bool is_system_v_name(std::string_view name) {
  return name.starts_with("/SYSV") || name.starts_with("SYSV");  // of V:, of O:
}

}  // namespace

void SharedObjects::on_header(const Header& header) {
  *this = {};
  header_ = header;
}

void SharedObjects::on_counters(std::span<const Counter> counters) {
  for (const Counter& counter : counters) {
    if (counter.name == "holders.descriptors") knows_holders_ = true;
    if (counter.name == "holders.denied") hidden_holders_ = counter.value;
  }
}

SharedObject& SharedObjects::object(const FileKey& key) {
  SharedObject& object = objects_[key];
  std::tie(object.device, object.inode) = key;
  return object;
}

void SharedObjects::on_holder(const Holder& holder) {
  using enum Holder::Kind;
  if (holder.kind != kMemfd && holder.kind != kTmpfs && holder.kind != kSystemV) return;
  const FileKey key{holder.device, holder.inode};
  SharedObject& held = object(key);
  held.holders.emplace(holder.pid, holder.descriptor);
  held.name = holder.name;
  held.has_path = holder.kind == kTmpfs && !holder.name.ends_with(kDeletedName);
  held.allocated = holder.pages;
}

void SharedObjects::on_task(const Task& task) {
  commands_.emplace(task.pid, task.comm);
  directory_.on_task(task);
}

void SharedObjects::on_area(const Process&, const Area& area) {
  directory_.on_area(area.vma);
}

void SharedObjects::on_pages(const Process& process, const Area& area,
                             std::span<const PageRun> runs) {
  SharedObject* mapped = nullptr;
  for (const PageRun& run : runs) {
    if (!is_shared_memory(run)) continue;
    if (mapped == nullptr) mapped = &object({area.vma.device, area.vma.inode});
    mapped->mappers[process.pid()] += run.pages;
    if (knows_mapped()) mapped->mapped += seen_.insert(header_.frame(run.value), run.pages);
  }
  if (mapped == nullptr || !mapped->name.empty()) return;
  mapped->name = area.vma.unit.text();
  mapped->has_path = mapped->name.starts_with('/') && !mapped->name.ends_with(kDeletedName) &&
                     !is_system_v_name(mapped->name);
}

void SharedObjects::on_process(const Process& process) {
  if (process.is_unread()) ++unread_;
}

void SharedObjects::on_owner(const RamOwner& owner) {
  const RamOwner named = directory_.add(owner);
  files_.emplace_back(owner.device, owner.inode);
  const bool is_group = owner.kind == RamOwner::Kind::kCgroup;
  payers_.emplace_back(is_group ? owner.name : "", owner.is_dying);
  if (owner.kind != RamOwner::Kind::kFile) return;
  const auto known = objects_.find(files_.back());
  const bool is_tmpfs = owner.file_system == "tmpfs" || owner.file_system == "devtmpfs";
  if (known == objects_.end() && !is_tmpfs) return;
  SharedObject& file = object(files_.back());
  file.has_path = owner.links != 0 && !is_system_v_name(owner.name);
  if (!file.name.empty()) return;
  // As in /proc/PID/maps.
  file.name = (named.name.starts_with('/') || named.name.starts_with('[') ? "" : "/") + named.name;
  if (!file.has_path && !is_system_v_name(file.name)) file.name += kDeletedName;
}

void SharedObjects::on_ram(const RamRun& run) {
  if (run.use != PM_RAM_SHMEM) return;
  const auto owner = directory_.find(run.owner);
  if (!owner) {
    nameless_ += run.pages;
    return;
  }
  SharedObject& file = object(files_[*owner]);
  file.pages += run.pages;
  has_owners_ = true;
  if (const auto payer = directory_.find(run.cgroup)) file.payers[payers_[*payer]] += run.pages;
}

ObjectState SharedObjects::state_of(const SharedObject& object) const {
  using enum ObjectState;
  if (!object.mappers.empty()) return kMapped;
  if (!object.holders.empty()) return kHeld;
  if (object.has_path) return knows_holders_ && hidden_holders_ == 0 ? kFile : kUnmapped;
  return is_system_v_name(object.name) ? kLeft : kUnknown;
}

void SharedObjects::on_end() {
  for (auto& [key, object] : objects_) {
    if (object.size() == 0) continue;
    object.state = state_of(object);
    sorted_.push_back(std::move(object));
  }
  objects_.clear();
  std::ranges::stable_sort(sorted_, std::greater<>(), &SharedObject::size);
}

std::string SharedObjects::command(std::uint64_t pid) const {
  const auto found = commands_.find(pid);
  return found == commands_.end() ? "" : found->second;
}

}  // namespace physmem
