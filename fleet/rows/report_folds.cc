// SPDX-License-Identifier: MIT
#include "fleet/rows/report_folds.h"

#include <algorithm>
#include <string_view>

#include "fleet/model/limits.h"

namespace physmem::fleet {
namespace {

/// Ascending.
constexpr std::array<std::string_view, 56> kChosen{
    "mem.AnonHugePages_kB",
    "mem.AnonPages_kB",
    "mem.Buffers_kB",
    "mem.Cached_kB",
    "mem.CommitLimit_kB",
    "mem.Committed_AS_kB",
    "mem.Dirty_kB",
    "mem.Hugetlb_kB",
    "mem.KernelStack_kB",
    "mem.Mapped_kB",
    "mem.MemAvailable_kB",
    "mem.MemFree_kB",
    "mem.MemTotal_kB",
    "mem.Mlocked_kB",
    "mem.PageTables_kB",
    "mem.Percpu_kB",
    "mem.SReclaimable_kB",
    "mem.SUnreclaim_kB",
    "mem.SecPageTables_kB",
    "mem.Shmem_kB",
    "mem.Slab_kB",
    "mem.SwapCached_kB",
    "mem.SwapFree_kB",
    "mem.SwapTotal_kB",
    "mem.Unevictable_kB",
    "mem.VmallocUsed_kB",
    "mem.Writeback_kB",
    "mem.Zswap_kB",
    "mem.Zswapped_kB",
    "psi.cpu.full_us",
    "psi.cpu.some_us",
    "psi.io.full_us",
    "psi.io.some_us",
    "psi.memory.full_us",
    "psi.memory.some_us",
    "vm.allocstall_device",
    "vm.allocstall_dma",
    "vm.allocstall_dma32",
    "vm.allocstall_movable",
    "vm.allocstall_normal",
    "vm.compact_stall",
    "vm.oom_kill",
    "vm.pgfault",
    "vm.pgmajfault",
    "vm.pgpgin",
    "vm.pgpgout",
    "vm.pgscan_direct",
    "vm.pgscan_kswapd",
    "vm.pgsteal_direct",
    "vm.pgsteal_kswapd",
    "vm.pswpin",
    "vm.pswpout",
    "vm.thp_fault_alloc",
    "vm.thp_split_page",
    "vm.workingset_refault_anon",
    "vm.workingset_refault_file",
};
static_assert(std::is_sorted(kChosen.begin(), kChosen.end()));

constexpr std::string_view kInKib = "_kB";

}  // namespace

void RegionUse::on_process(const Process& process) {
  for (const Area& area : process.areas) {
    at(area.regions.file).frames += area.tally.file.first_seen;
    at(area.regions.anon).frames += area.tally.anon.first_seen;
    at(Region::kSpecial).frames += area.tally.special_first_seen;
    at(area.regions.file).resident += area.tally.file.pages;
    at(area.regions.anon).resident += area.tally.anon.pages;
    at(Region::kSpecial).resident += area.tally.special;
  }
}

void ChosenCounters::on_counters(std::span<const Counter> counters) {
  for (const Counter& counter : counters) {
    std::string_view name = counter.name;
    if (name == "collect.lost") lost_ = counter.value;
    if (!std::binary_search(kChosen.begin(), kChosen.end(), name)) continue;
    const bool is_kib = name.ends_with(kInKib);
    if (is_kib) name.remove_suffix(kInKib.size());
    const std::uint64_t value = is_kib ? counter.value * 1024 : counter.value;
    const bool is_possible = counter.value <= kMaxTotal && value <= kMaxTotal;
    values_[std::string(name)] = is_possible ? std::optional(value) : std::nullopt;
  }
}

NameUses::Sum& NameUses::Sum::operator+=(const Sum& other) {
  processes += other.processes;
  use += other.use;
  max_resident = std::max(max_resident, other.max_resident);
  minor_faults += other.minor_faults;
  major_faults += other.major_faults;
  is_known = is_known && other.is_known;
  return *this;
}

void NameUses::on_process(const Process& process) {
  if (process.is_kernel_thread()) return;
  const std::optional<MemoryUse> use = use_of(process, sizes_, page_size_);
  const Task& task = process.task;
  Sum one{.processes = 1,
          .use = use.value_or(MemoryUse()),
          .max_resident = use ? use->resident : 0,
          .minor_faults = task.group ? task.group->min_flt : task.min_flt,
          .major_faults = task.group ? task.group->maj_flt : task.maj_flt,
          .is_known = use.has_value()};
  sums_[{task.comm, task.group ? task.group->cgroup : ""}] += one;
}

std::vector<std::pair<NameUses::Key, NameUses::Sum>> NameUses::largest(std::size_t top) const {
  const Key other{"other", ""};
  std::vector<std::pair<Key, Sum>> rows(sums_.begin(), sums_.end());
  std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
    if ((a.first == other) != (b.first == other)) return b.first == other;
    return a.second.use.resident > b.second.use.resident;
  });
  if (rows.size() <= top) return rows;
  Sum rest;
  for (std::size_t i = top; i < rows.size(); ++i) rest += rows[i].second;
  rows.resize(top);
  rows.emplace_back(other, rest);
  return rows;
}

}  // namespace physmem::fleet
