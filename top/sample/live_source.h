// SPDX-License-Identifier: MIT
// Samples this machine. A sample is written as a snapshot in memory, which a recording keeps, and
// is read back from it. So a replay shows what was shown live.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "collector-proc/counters_reader.h"
#include "collector-proc/group_pressure.h"
#include "collector-proc/machine.h"
#include "collector-proc/snapshot_writer.h"
#include "formats/output/output.h"
#include "top/model/round_fold.h"
#include "top/sample/own_cost.h"
#include "top/sample/page_walker.h"
#include "top/sample/process_scan.h"
#include "top/sample/source.h"
#include "top/sample/walk_plan.h"

namespace physmem::top {

/// CPU time that page walks may take, as a fraction of one core.
inline constexpr double kWalkShare = 0.025;

class LiveSource final : public RoundSource {
 public:
  struct Scope {
    std::set<std::uint64_t> pids = {};  ///< empty: all
    /// The first round reads the pages of all processes and waits for them, whatever it costs.
    bool waits_for_first = false;
  };

  /// The tree must outlive it.
  LiveSource(const collect::ProcTree& tree, collect::Machine machine, Scope scope);

  /// Takes a sample. `machine` has the time of it.
  Result<Round> next(std::uint64_t time_ns, std::uint64_t uptime_ns);
  /// The last sample as a snapshot.
  const std::string& text() const { return text_.text(); }

  void request_details(std::uint64_t pid, std::uint64_t round) override;
  std::shared_ptr<const Details> details() override;
  std::string no_details() const override;

 private:
  /// The last page walk of a process.
  struct LastWalk {
    std::uint64_t start_time = 0;
    std::uint64_t read_at_ns = 0;
    std::uint64_t faults = 0;  ///< when it was requested
    std::uint64_t rss = 0;     ///< pages, likewise
    bool is_denied = false;
    std::optional<WalkedProcess::Sizes> sizes;
  };

  void take_walks();
  void request_walks(const std::vector<ScannedProcess>& processes, std::uint64_t uptime_ns);
  std::vector<WalkCandidate> candidates(const std::vector<ScannedProcess>& processes,
                                        std::uint64_t uptime_ns) const;
  std::uint64_t changes_since(const LastWalk& walk, const ScannedProcess& process) const;
  void forget_ended(const std::vector<ScannedProcess>& processes);
  SwapActivity swap_activity();
  void write(const std::vector<ScannedProcess>& processes);
  std::uint64_t rss_kib(const ScannedProcess& process) const;
  void write_process(const ScannedProcess& process);
  void write_header();
  void add_load();
  WalkState walk_state(const std::vector<ScannedProcess>& processes, std::uint64_t uptime_ns);

  const collect::ProcTree& tree_;
  collect::Machine machine_;
  collect::GroupPressure groups_{"/sys"};
  bool waits_for_first_;
  bool are_frames_hidden_ = false;
  bool are_frames_missing_ = false;
  bool are_counts_means_ = false;
  ProcessScan scan_;
  PageWalker walker_;
  WalkCost cost_;
  WalkBudget budget_{kWalkShare};
  std::unordered_map<collect::Pid, LastWalk> walks_;
  std::shared_ptr<const Details> details_;
  std::vector<collect::Counter> counters_;
  std::uint64_t swapped_ = 0;  ///< pages in and out since boot
  std::uint64_t sequence_ = 0;
  std::uint64_t last_uptime_ns_ = 0;
  collect::SnapshotWriter writer_;
  TextOutput text_;
  RoundFold fold_;
  OwnCost own_cost_;
};

}  // namespace physmem::top
