// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "collector-proc/process_walk.h"
#include "collector-proc/progress.h"
#include "collector-proc/reorder_buffer.h"

namespace physmem::collect {

/// Threads that walk processes in parallel for one snapshot. The thread that calls write_to()
/// writes their results in the order of the processes, so the text is the same as with one thread.
/// Processes are opened in order, so the owner of a shared address space does not depend on timing.
class WalkPool {
 public:
  /// The arguments must outlive it. If threads cannot be started, there are fewer of them, or none.
  WalkPool(const ProcTree& tree, const Scope& scope, const SnapshotFrame& frame,
           const std::vector<Pid>& pids, std::size_t threads);
  WalkPool(const WalkPool&) = delete;
  WalkPool& operator=(const WalkPool&) = delete;
  ~WalkPool();

  bool is_empty() const { return threads_.empty(); }
  Status write_to(Output& output, Progress& progress);
  /// Ends the work. After a successful write_to(), returns the losses and counts.
  Losses finish(pm_end& totals);

 private:
  struct Worker;

  void work(Worker& worker, const std::stop_token& stop);
  bool open_next(Worker& worker);
  static Status walk(Worker& worker, const std::stop_token& stop);

  const std::vector<Pid>& pids_;
  std::vector<std::unique_ptr<Worker>> workers_;
  ReorderBuffer texts_;

  std::mutex opening_;
  std::size_t next_ = 0;  // first process that is not opened yet
  AddressSpaces spaces_;

  std::vector<std::jthread> threads_;
};

}  // namespace physmem::collect
