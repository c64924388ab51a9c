// SPDX-License-Identifier: MIT
#include "collector-proc/ram/ram_section.h"
#include "collector-proc/ram/huge_page_policy.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>

#include "collector-proc/build.h"
#include "collector-proc/machine.h"
#include "collector-proc/ram/cgroup_totals.h"
#include "collector-proc/ram/kernel_lists.h"
#include "collector-proc/ram/memory_nodes.h"
#include "collector-proc/ram/mounts.h"
#include "collector-proc/ram/sampled_totals.h"

namespace physmem::collect {
namespace {

/// Reading the totals takes a fiftieth of it.
constexpr std::uint64_t kSampleNs = 10'000'000;

std::vector<MemoryZone> read_zones(const ProcTree& tree) {
  ReadBuffer text;
  if (read_at(tree.fd(), "zoneinfo", text) != Access::kRead) return {};
  return parse_zoneinfo(text.text());
}

pm_zone record_of(const MemoryZone& zone) {
  pm_zone record{};
  record.node = zone.node;
  record.name = zone.name.c_str();
  record.first_pfn = zone.first_pfn;
  record.spanned = zone.spanned;
  record.present = zone.present;
  record.managed = zone.managed;
  record.free = zone.free;
  record.percpu_lists = zone.percpu_lists;
  record.min = zone.min;
  record.low = zone.low;
  record.high = zone.high;
  return record;
}

/// The map by zones alone, if /proc/iomem hides the addresses.
std::vector<FrameSpan> map_of(const std::vector<MemoryZone>& zones) {
  std::vector<FrameSpan> map;
  std::uint64_t end = 0;
  for (const MemoryZone& zone : zones) {
    if (zone.first_pfn < end) return {};  // zones of several nodes may be interleaved
    end = zone.first_pfn + zone.spanned;
    map.push_back({zone.first_pfn, end, FrameSpan::Kind::kRam});
  }
  return map;
}

std::uint64_t present_frames(const std::vector<MemoryZone>& zones) {
  std::uint64_t frames = 0;
  for (const MemoryZone& zone : zones) frames += zone.present;
  return frames;
}

}  // namespace

RamSection::RamSection(const ProcTree& tree, const std::string& sys_root, std::uint64_t page_size)
    : tree_(tree),
      sys_(open_dir_at(AT_FDCWD, sys_root.c_str())),
      page_size_(page_size),
      cgroups_(sys_.get()),
      frames_(tree, page_size),
      totals_(tree, page_size),
      zones_(read_zones(tree)) {
  read_map();
}

// Reading every memory block is slow on large machines; the zones show whether any is offline.
void RamSection::read_map() {
  ReadBuffer text;
  if (read_at(tree_.fd(), "iomem", text) == Access::kRead)
    map_ = parse_iomem(text.text(), page_size_);
  if (map_.empty()) map_ = map_of(zones_);
  if (present_frames(zones_) < frames_of(map_)) mark_offline_blocks(map_, sys_.get(), page_size_);
}

void RamSection::write_totals(SnapshotWriter& writer, const std::string& prefix) {
  std::vector<Counter> totals = totals_.read();
  for (Counter& total : totals) total.name.insert(0, prefix);
  writer.counters(totals);
}

bool RamSection::has_zsmalloc() {
  for (const Counter& total : totals_.read())
    if (total.name == "zsmalloc") return total.value != 0;
  return false;
}

Status RamSection::open_kernel(Source by, bool with_frames) {
  auto kernel = RunningKernel::open(tree_, sys_.get(), page_size_, by, map_, with_frames);
  if (!kernel) return kernel.error();
  kernel_ = std::move(*kernel);
  return {};
}

bool RamSection::use_kernel(std::unique_ptr<RunningKernel> kernel) {
  if (!kernel || !kernel->is_current(tree_, map_)) return false;
  kernel_ = std::move(kernel);
  return true;
}

Source RamSection::source(bool may_be_kernel) const {
  if (map_.empty()) return Source::kNone;
  if (kernel_ && may_be_kernel) return kernel_->source();
  return frames_.is_readable() ? Source::kProc : Source::kNone;
}

Status RamSection::describe_frames(SnapshotWriter& writer, Source by, std::uint64_t owners,
                                   const RamWalk::GoOn& go_on) {
  if (by == Source::kNone) return {};
  owners = write_mounts(tree_, writer.out(), owners);
  if (is_kernel_memory(by)) return kernel_->write_ram(map_, owners, writer.out(), go_on);
  RamWalk walk({frames_, cgroups_, {has_zsmalloc(), frames_.has_cgroups()}}, writer.out(), owners);
  return walk.write(map_, go_on);
}

/// Reads the totals in between.
Status RamSection::write_frames(SnapshotWriter& writer, Source by, std::uint64_t owners,
                                const RamWalk::GoOn& go_on) {
  SampledTotals sampled;
  std::uint64_t last_ns = 0;
  const auto sample = [&] {
    const std::uint64_t now_ns = uptime_ns();
    if (last_ns == 0 || now_ns - last_ns >= kSampleNs) {
      sampled.add(totals_.read());
      last_ns = now_ns;
    }
    return go_on();
  };
  if (Status status = describe_frames(writer, by, owners, sample); !status) return status;
  sampled.add(totals_.read());
  writer.counters(sampled.counters("ram"));
  return {};
}

void RamSection::write_places(SnapshotWriter& writer) const {
  if (std::vector<Counter> policy = read_huge_page_policy(sys_.get()); !policy.empty())
    writer.counters(policy);
  writer.counters(read_memory_nodes(sys_.get()));
  for (const MemoryZone& zone : zones_) {
    const pm_zone record = record_of(zone);
    writer.zone_place(record);
  }
}

/// Each CPU has a part of most totals, which this adds up: mm/vmstat.c, vmstat_refresh().
/// Only for --verify, because it wakes every CPU.
bool RamSection::refresh_totals() const {
  if (!tree_.is_live()) return false;
  const UniqueFd file = open_at(tree_.fd(), "sys/vm/stat_refresh");
  char byte = 0;
  return file && ::read(file.get(), &byte, 1) == 0;
}

Status RamSection::write(SnapshotWriter& writer, const Choice& choice, const RamWalk::GoOn& go_on) {
  const auto write_cgroups = [&](const char* when) {
    if (choice.with_witnesses) writer.counters(read_cgroup_totals(sys_.get(), when, page_size_));
  };
  bool is_refreshed = choice.with_witnesses;
  const auto write_totals = [&](const char* when) {
    is_refreshed = is_refreshed && refresh_totals();
    this->write_totals(writer, std::string("ram.") + when + ".");
  };
  for (const MemoryZone& zone : zones_) {
    const pm_zone record = record_of(zone);
    writer.zone(record);
  }
  const Result<std::uint64_t> files = choice.write_files();
  if (!files) return files.error();
  if (is_kernel_memory(choice.by))
    if (Status status = kernel_->read_lists(); !status) return status;
  write_cgroups("before");
  write_totals("before");
  if (Status status = write_frames(writer, choice.by, *files, go_on); !status) return status;
  write_totals("after");
  write_cgroups("after");
  if constexpr (!kIsSmall) writer.counters(read_cgroup_states(sys_.get()));
  if (is_refreshed) writer.counters({{"ram.refreshed", 1}});
  writer.counters({{"ram.processors", read_cpus(tree_)}});
  writer.counters(read_kernel_lists(tree_, sys_.get()));
  return {};
}

}  // namespace physmem::collect
