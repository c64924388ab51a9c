// SPDX-License-Identifier: MIT
#include "collector-proc/process_walk.h"

#include <algorithm>
#include <cerrno>

#include "collector-proc/capabilities.h"
#include "collector-proc/machine.h"
#include "collector-proc/process_witness.h"
#include "collector-proc/record_of.h"
#include "collector-proc/text_cursor.h"
#include "formats/emit/flags.h"
#include "program/clock.h"
#include "program/duration.h"
#include "program/signals.h"

namespace physmem::collect {
namespace {

// PF_FORKNOEXEC: forked without exec. Only such a process can share the address space of another.
constexpr std::uint64_t kForkedNoExec = 0x40;

// Maximum age of a task's user and cgroup in a series without VMAs: reading them is more than half
// of the cost.
constexpr std::uint64_t kMaxAge = 10 * kSecondNs;

// Files that can be in swap: tmpfs, which includes the kernel's internal shared memory, has no
// block device. (Files of btrfs and overlayfs have none either.) The first System V segment has
// inode 0, so the device distinguishes it from memory without a file.
bool may_be_shared_memory(const Area& area) {
  return area.dev_major == 0 && area.dev_minor != 0;
}

}  // namespace

Status stop_reason(const SnapshotWriter& writer, const Output& output) {
  if (interrupted()) return silent_error();
  if (writer.error() != 0) return output_error(output, writer.error());
  return {};
}

Status ProcessWalk::stop_reason() const {
  return stop_.stop_requested() ? silent_error() : collect::stop_reason(*writer_, *output_);
}

void ProcessWalk::begin_snapshot(const SnapshotFrame& frame) {
  frame_ = frame;
  losses_ = {};
  groups_.begin_snapshot(frame.stalled_us);
  reader_.begin_snapshot(system_clock().now_ns(), scope_.with_areas ? 0 : kMaxAge);
  if (frame.frames == nullptr) return;
  frames_.emplace(*frame.frames, scope_.with_witnesses);
  walk_.emplace(*frames_, frame.page_size, frame.swap_devices, scope_.with_pages,
                scope_.with_witnesses);
}

void ProcessWalk::release() {
  walk_.reset();
  frames_.reset();
  process_.dir.reset();
  source_.pagemap.reset();
}

Losses ProcessWalk::losses() const {
  Losses losses = losses_;
  if (walk_) {
    losses.in_transit = walk_->notes().in_transit;
    losses.markers = walk_->notes().markers;
    losses.frame_missing = walk_->notes().frame_missing;
    losses.frame_unreadable = frames_->unreadable();
  }
  return losses;
}

Status ProcessWalk::open(Pid pid, AddressSpaces& spaces) {
  const Access access = reader_.open(pid, process_);
  if (access == Access::kFailed) return reader_.error();
  exists_ = access == Access::kRead;
  if (!exists_) {
    ++losses_.task_exited;
    return {};
  }
  read_at_ns_ = uptime_ns();
  mm_ = process_.holder != 0 ? owner_of(spaces) : 0;
  return {};
}

std::uint64_t ProcessWalk::owner_of(AddressSpaces& spaces) {
  if (!scope_.with_areas)
    return process_.pid;  // sharing matters for VMAs only, and asking costs a fifth of the time
  if (tree_.is_live()) {
    if (const auto owner = spaces.owner_of(process_.holder, process_.pid)) return *owner;
  }
  if ((process_.holder_stat.flags & kForkedNoExec) != 0) ++losses_.sharing_unknown;
  return process_.pid;
}

Status ProcessWalk::write(SnapshotWriter& writer, const Output& output, std::stop_token stop) {
  if (!exists_) return {};
  stop_ = std::move(stop);
  writer_ = &writer;
  output_ = &output;
  has_areas_ = false;
  const bool owns_areas = process_.holder != 0 && mm_ == process_.pid && scope_.with_areas;
  const bool has_rollup = owns_areas && scope_.with_witnesses;
  const WalkNotes notes = walk_ ? walk_->notes() : WalkNotes{};
  // Before the areas: one that appears and fills later changes the second reading.
  if (has_rollup) {
    if (frames_) frames_->forget();
    Status status = write_witness(tree_, reader_, process_, RollupTime::kBefore, writer);
    if (!status) return status;
  }
  if (owns_areas)
    if (Status status = find_areas(); !status) return status;
  if (scope_.ram != Scope::Ram::kNone && process_.holder != 0 && mm_ == process_.pid)
    write_page_tables();
  if (Status status = write_threads(); !status) return status;
  if (!has_rollup || !has_areas_) return {};
  if (walk_)
    write_absent(process_.pid, walk_->notes().poisoned - notes.poisoned,
                 walk_->notes().migrating - notes.migrating, writer);
  return write_witness(tree_, reader_, process_, RollupTime::kAfter, writer);
}

void ProcessWalk::write_page_tables() {
  if (const auto kb = reader_.status_kb(process_, "VmPTE:"))
    writer_->counters({{"process." + std::to_string(process_.pid) + ".page_tables_kB", *kb}});
}

Status ProcessWalk::find_areas() {
  const Access access = frames_ ? reader_.areas(process_, source_)
                                : reader_.counted_areas(process_, frame_.page_size, source_);
  if (access == Access::kFailed) return reader_.error();
  if (access == Access::kDenied) add_hidden();
  if (access == Access::kUnsupported) ++losses_.areas_unsupported;
  if (access == Access::kDenied || access == Access::kUnsupported) write_sizes();
  if (access == Access::kGone) ++losses_.task_exited;
  has_areas_ = access == Access::kRead;
  if (!has_areas_) return {};
  mark_executable(process_, source_.areas.list);
  return find_shared_swap();
}

/// In a container, process 1 may have rights that no other process there has.
void ProcessWalk::add_hidden() {
  losses_.add_hidden({process_.pid, process_.group.comm});
  if (process_.pid == 1 && (effective_capabilities(tree_) & kCapSysPtrace) != 0)
    losses_.is_init_hidden = true;
}

void ProcessWalk::write_sizes() {
  const std::string prefix = "process." + std::to_string(process_.pid) + ".";
  std::vector<Counter> sizes;
  add_counters(prefix, {{"rss_kB", process_.holder_stat.rss * frame_.page_size / 1024}}, sizes);
  if (const auto kb = reader_.status_kb(process_, "VmSwap:"))
    add_counters(prefix, {{"swap_kB", *kb}}, sizes);
  writer_->counters(sizes);
}

// Page tables do not show shared memory in swap; see S: in formats/physmem-records.md.
Status ProcessWalk::find_shared_swap() {
  smaps_area_ = 0;
  smaps_.areas.list.clear();
  const std::vector<Area>& areas = source_.areas.list.areas();
  if (!frames_ || !frame_.is_swap_in_use || std::ranges::none_of(areas, may_be_shared_memory))
    return {};
  const Access access = reader_.counted_areas(process_, frame_.page_size, smaps_);
  if (access == Access::kFailed) return reader_.error();
  if (access != Access::kRead) smaps_.areas.list.clear();
  return {};
}

void ProcessWalk::add_shared_swap(const Area& area, pm_page_counts& counts) {
  const std::vector<Area>& known = smaps_.areas.list.areas();
  while (smaps_area_ < known.size() && known[smaps_area_].start < area.start) ++smaps_area_;
  if (smaps_area_ == known.size() || !may_be_shared_memory(area)) return;
  const Area& same = known[smaps_area_];
  if (same.start != area.start || same.end != area.end || same.inode != area.inode) return;
  const std::uint64_t in_swap = smaps_.areas.counts[smaps_area_].swapped;
  if (in_swap <= counts.swapped) return;
  (scope_.with_pages ? counts.unlisted : counts.swapped) += in_swap - counts.swapped;
}

void ProcessWalk::write_moment() {
  const std::vector<Counter> group = groups_.first(process_.cgroup);
  if (!group.empty()) writer_->counters(group);
  writer_->counters({{"at.uptime_ns", read_at_ns_}});
}

Status ProcessWalk::write_threads() {
  Thread thread;
  for (const Pid tid : process_.tids) {
    const Access access = reader_.thread(process_, tid, thread);
    if (access == Access::kFailed) return reader_.error();
    if (access != Access::kRead) {
      ++losses_.task_exited;
      if (tid == process_.pid) return {};
      continue;
    }
    if (tid == process_.pid && tree_.is_live()) write_moment();
    writer_->task(record_of(process_, thread, mm_));
    if (tid != process_.holder || !has_areas_) continue;
    // exec during the read: the VMAs may belong to another address space.
    if (thread.stat.start_stack != process_.holder_stat.start_stack) {
      ++losses_.task_exited;
      continue;
    }
    if (Status status = write_areas(); !status) return status;
  }
  return {};
}

Status ProcessWalk::write_areas() {
  if (frames_) return write_walked_areas();
  const std::vector<Area>& areas = source_.areas.list.areas();
  for (std::size_t i = 0; i < areas.size(); ++i) write_area(areas[i], source_.areas.counts[i]);
  return {};
}

Status ProcessWalk::write_walked_areas() {
  const std::vector<Area>& areas = source_.areas.list.areas();
  walk_->begin(source_.pagemap.get(), areas, {process_.holder_stat.rss, source_.page_tables_kb},
               stop_);
  for (std::size_t i = 0; i < areas.size(); ++i) {
    const Access access = walk_->read(i, pages_);
    if (Status status = stop_reason(); !status) return status;
    if (access == Access::kFailed)
      return io_error("read " + tree_.path(std::to_string(process_.pid) + "/pagemap"), errno);
    if (access != Access::kRead) {
      ++losses_.task_exited;
      return {};
    }
    add_shared_swap(areas[i], pages_.counts);
    write_area(areas[i], pages_.counts);
    if (scope_.with_pages) writer_->pages(pages_, *frames_, frame_.page_size);
  }
  return {};
}

void ProcessWalk::write_area(const Area& area, pm_page_counts counts) {
  counts.executable = (area.flags & PM_VMA_EXEC) != 0 ? counts.user : 0;
  counts.read_only = (area.flags & PM_VMA_WRITE) == 0 ? counts.user : 0;
  pm_vma record = record_of(area, counts.user * frame_.page_size);
  if (pages_.is_guarded) record.flags |= PM_VMA_GUARDED;
  writer_->area(record, counts);
}

}  // namespace physmem::collect
