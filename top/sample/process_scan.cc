// SPDX-License-Identifier: MIT
#include "top/sample/process_scan.h"

#include <cerrno>
#include <utility>

#include "collector-proc/cgroup_reader.h"
#include "collector-proc/status_reader.h"
#include "collector-proc/text_cursor.h"
#include "program/duration.h"

namespace physmem::top {
namespace {

using collect::Access;
using collect::Pid;

/// Maximum age of a process's user and cgroup, as in a series of physmem-collect.
constexpr std::uint64_t kMaxAge = 10 * kSecondNs;

/// The file of a process, or of its thread `holder`, if that is not 0.
std::string path_of(Pid pid, Pid holder, const char* name) {
  const std::string thread = holder == 0 ? "" : "task/" + std::to_string(holder) + "/";
  return std::to_string(pid) + "/" + thread + name;
}

}  // namespace

Result<const std::vector<ScannedProcess>*> ProcessScan::scan(std::uint64_t uptime_ns,
                                                             SwapActivity swap) {
  ++round_;
  if (collect::list_ids(tree_.fd(), ".", pids_) != Access::kRead)
    return io_error("list " + tree_.name(), errno);
  std::size_t used = 0;
  for (const Pid pid : pids_) {
    if (!only_.empty() && only_.count(pid) == 0) continue;
    if (used == processes_.size()) processes_.emplace_back();
    if (read(pid, uptime_ns, swap, processes_[used])) ++used;
  }
  processes_.resize(used);
  std::erase_if(known_, [this](const auto& entry) { return entry.second.round != round_; });
  return &processes_;
}

/// Returns false if the task ended, has no address space, or is a kernel thread.
bool ProcessScan::read(Pid pid, std::uint64_t uptime_ns, SwapActivity swap, ScannedProcess& into) {
  Known& known = known_[pid];
  known.round = round_;
  const bool is_old = known.read_at_ns == 0 || known.read_at_ns + kMaxAge <= uptime_ns;
  if (known.is_kernel_thread && !is_old) return false;
  if (collect::read_record_at(tree_.fd(), path_of(pid, 0, "stat").c_str(), buffer_) !=
      Access::kRead)
    return false;
  auto stat = collect::parse_stat(buffer_.text());
  if (!stat) return false;
  const bool is_same = known.read_at_ns != 0 && known.start_time == stat->start_time;
  if (!is_same) {
    known = {};
    known.start_time = stat->start_time;
    known.round = round_;
  }
  known.is_kernel_thread = stat->is_kernel_thread();
  if (known.is_kernel_thread) known.read_at_ns = uptime_ns;
  if (known.is_kernel_thread || !find_address_space(pid, *stat, known)) return false;
  if ((!is_same || is_old) && !read_facts(pid, uptime_ns, known)) return false;
  into.pid = pid;
  into.stat = std::move(*stat);
  into.uid = known.uid;
  into.cgroup = known.cgroup;
  into.read_at_ns = uptime_ns;
  read_swap(into, swap, known);
  into.swap_kb = known.swap_kb;
  return true;
}

/// The stat of a process whose first thread has ended lacks the address space.
bool ProcessScan::find_address_space(Pid pid, collect::TaskStat& stat, Known& known) {
  known.holder = 0;
  if (stat.has_mm()) return true;
  if (stat.threads < 2) return false;
  collect::Process process;
  if (reader_.open(pid, process) != Access::kRead || process.holder == 0) return false;
  known.holder = process.holder;
  stat.vsize = process.holder_stat.vsize;
  stat.rss = process.holder_stat.rss;
  return true;
}

bool ProcessScan::read_facts(Pid pid, std::uint64_t uptime_ns, Known& known) {
  if (collect::read_record_at(tree_.fd(), path_of(pid, known.holder, "status").c_str(), buffer_) !=
      Access::kRead)
    return false;
  const auto status = collect::parse_status(buffer_.text());
  if (!status) return false;
  known.uid = status->uid;
  const Access access =
      collect::read_record_at(tree_.fd(), path_of(pid, known.holder, "cgroup").c_str(), buffer_);
  known.cgroup = access != Access::kRead ? "" : collect::memory_cgroup(buffer_.text());
  known.read_at_ns = uptime_ns;
  return true;
}

/// The kernel counts a process's pages in swap in status only. They change with swap traffic, and
/// without it by unmapping or the end of a process that shares them.
void ProcessScan::read_swap(const ScannedProcess& process, SwapActivity swap, Known& known) {
  const bool has_changed = known.rss != process.stat.rss || known.faults != process.faults();
  if (swap == SwapActivity::kUnused) known.swap_kb = 0;
  if (swap == SwapActivity::kUnused ||
      (swap == SwapActivity::kQuiet && known.swap_kb && !has_changed))
    return;
  known.rss = process.stat.rss;
  known.faults = process.faults();
  if (collect::read_record_at(tree_.fd(), path_of(process.pid, known.holder, "status").c_str(),
                              buffer_) == Access::kRead)
    known.swap_kb = collect::number_of_line(buffer_.text(), "VmSwap:");
}

}  // namespace physmem::top
