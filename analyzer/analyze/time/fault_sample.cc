// SPDX-License-Identifier: MIT
#include "analyzer/analyze/time/fault_sample.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace physmem {
namespace {

/// A counter of G: and the member that it is added to.
struct Meaning {
  std::string_view name;
  SystemCounters::Count SystemCounters::*sum;
};
struct GroupMeaning {
  std::string_view name;
  SystemCounters::Count GroupCounters::*value;
};
constexpr std::array kGroupMeanings{GroupMeaning{"group.some_us", &GroupCounters::some_us},
                                    GroupMeaning{"group.high", &GroupCounters::high}};
constexpr std::array kMeanings{
    Meaning{"vm.workingset_refault_anon", &SystemCounters::refaults},
    Meaning{"vm.workingset_refault_file", &SystemCounters::refaults},
    Meaning{"vm.pgscan_kswapd", &SystemCounters::scanned},
    Meaning{"vm.pgscan_direct", &SystemCounters::scanned},
    Meaning{"vm.pgscan_anon", &SystemCounters::all_scanned},
    Meaning{"vm.pgscan_file", &SystemCounters::all_scanned},
    Meaning{"vm.pgscan_khugepaged", &SystemCounters::other_scanned},
    Meaning{"vm.pgscan_proactive", &SystemCounters::other_scanned},
    Meaning{"vm.pswpin", &SystemCounters::swapped_in},
    Meaning{"vm.pswpout", &SystemCounters::swapped_out},
    Meaning{"vm.pgmajfault", &SystemCounters::majors},
    Meaning{"psi.memory.some_us", &SystemCounters::some_us},
    Meaning{"psi.memory.full_us", &SystemCounters::full_us},
    Meaning{"mem.Active_anon_kB", &SystemCounters::lru_kib},
    Meaning{"mem.Inactive_anon_kB", &SystemCounters::lru_kib},
    Meaning{"mem.Active_file_kB", &SystemCounters::lru_kib},
    Meaning{"mem.Inactive_file_kB", &SystemCounters::lru_kib},
    Meaning{"mem.MemTotal_kB", &SystemCounters::total_kib},
    Meaning{"mem.MemAvailable_kB", &SystemCounters::available_kib},
    Meaning{"mem.SwapTotal_kB", &SystemCounters::swap_total_kib},
    Meaning{"mem.SwapFree_kB", &SystemCounters::swap_free_kib},
};

bool is_before(const ProcessCounters& a, const ProcessCounters& b) {
  return a.id < b.id;
}

}  // namespace

void FaultSampler::on_header(const Header& header) {
  // While nothing stalls, a collector does not read the groups again: they are as before.
  auto groups = std::move(sample_.groups);
  sample_ = {};
  sample_.groups = std::move(groups);
  sample_.at_ns = header.uptime_ns;
  sample_.page_size = header.page_size;
  read_at_ns_ = header.uptime_ns;
  group_ = {};
  hz_ = header.hz;
}

void FaultSampler::on_counters(std::span<const Counter> counters) {
  for (const Counter& counter : counters) {
    if (counter.name == "at.uptime_ns") read_at_ns_ = counter.value;
    for (const Meaning& meaning : kMeanings)
      if (meaning.name == counter.name) {
        auto& sum = sample_.system.*meaning.sum;
        sum = sum.value_or(0) + counter.value;
      }
    for (const GroupMeaning& meaning : kGroupMeanings)
      if (meaning.name == counter.name) group_.*meaning.value = counter.value;
  }
}

void FaultSampler::on_task(const Task& task) {
  if (task.group && (group_.some_us || group_.high)) sample_.groups[task.group->cgroup] = group_;
  group_ = {};
  if (task.group)
    add_thread(task, task.group->min_flt, task.group->maj_flt,
               task.group->utime + task.group->stime);
  else if (!task.identity || task.identity->tgid == task.pid)
    add_thread(task, task.min_flt, task.maj_flt, task.utime + task.stime);
  // A thread other than the leader is included in the sums on the leader's line.
}

void FaultSampler::add_thread(const Task& task, std::uint64_t minors, std::uint64_t majors,
                              std::uint64_t ticks) {
  ProcessCounters& process = sample_.processes.emplace_back();
  process.id = ProcessId::of(task);
  process.name = task.comm;
  if (task.group) process.cgroup = task.group->cgroup;
  process.minors = minors;
  process.majors = majors;
  process.cpu_ms = static_cast<double>(ticks) * 1000 / static_cast<double>(hz_);
  process.at_ns = read_at_ns_;
}

void FaultSampler::on_end() {
  // A series without end meets any number of groups.
  std::set<std::string_view> used;
  for (const ProcessCounters& process : sample_.processes) used.insert(process.cgroup);
  std::erase_if(sample_.groups, [&](const auto& group) { return !used.contains(group.first); });
  std::stable_sort(sample_.processes.begin(), sample_.processes.end(), is_before);
}

}  // namespace physmem
