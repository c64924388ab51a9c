// SPDX-License-Identifier: MIT
// The counts of all processes, once per round. Only /proc/PID/stat is read in every round, and the
// stat of a living thread if the first one has ended; other files are read when they may have
// changed.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "collector-proc/proc_tree.h"
#include "collector-proc/process_reader.h"
#include "collector-proc/stat_reader.h"

namespace physmem::top {

/// A process with an address space.
struct ScannedProcess {
  collect::Pid pid = 0;
  collect::TaskStat stat;  ///< sums over all of its threads
  std::uint64_t uid = 0;
  std::string cgroup;
  std::optional<std::uint64_t> swap_kb;
  std::uint64_t read_at_ns = 0;  ///< since boot

  std::uint64_t faults() const { return stat.min_flt + stat.maj_flt; }
};

/// What happened to swap since the last scan.
enum class SwapActivity {
  kUnused,  ///< no page is in swap
  kQuiet,   ///< none was read or written
  kActive,
};

class ProcessScan {
 public:
  /// The tree must outlive it. `only`: pids to read; empty: all.
  explicit ProcessScan(const collect::ProcTree& tree, std::set<std::uint64_t> only = {})
      : tree_(tree), only_(std::move(only)), reader_(tree) {}

  /// Reads all processes, ascending. The result is valid until the next scan.
  Result<const std::vector<ScannedProcess>*> scan(std::uint64_t uptime_ns, SwapActivity swap);

 private:
  /// What is remembered of a task.
  struct Known {
    std::uint64_t start_time = 0;
    collect::Pid holder = 0;  ///< the living thread that was asked, if the first one has ended
    bool is_kernel_thread = false;
    std::uint64_t uid = 0;
    std::string cgroup;
    std::uint64_t read_at_ns = 0;  ///< of user, cgroup and kind
    std::uint64_t rss = 0;         ///< pages, when swap_kb was read
    std::uint64_t faults = 0;
    std::optional<std::uint64_t> swap_kb;
    std::uint64_t round = 0;  ///< of the last scan that found it
  };

  bool read(collect::Pid pid, std::uint64_t uptime_ns, SwapActivity swap, ScannedProcess& into);
  bool find_address_space(collect::Pid pid, collect::TaskStat& stat, Known& known);
  bool read_facts(collect::Pid pid, std::uint64_t uptime_ns, Known& known);
  void read_swap(const ScannedProcess& process, SwapActivity swap, Known& known);

  const collect::ProcTree& tree_;
  std::set<std::uint64_t> only_;
  collect::ProcessReader reader_;  ///< for processes whose first thread has ended
  collect::ReadBuffer buffer_;
  std::vector<collect::Pid> pids_;
  std::vector<ScannedProcess> processes_;
  std::unordered_map<collect::Pid, Known> known_;
  std::uint64_t round_ = 0;
};

}  // namespace physmem::top
