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

/// Threads that walk processes side by side for one snapshot. Who calls write_to() writes what they
/// found, in the order of the processes: the text is the same as one thread's. A process is opened
/// when the one before it is: which process an address space belongs to does not depend on who is
/// faster.
class WalkPool {
 public:
  /// The arguments must outlive it. Of the threads that cannot be had it does without, even of all.
  WalkPool(const ProcTree& tree, const Scope& scope, const SnapshotFrame& frame,
           const std::vector<Pid>& pids, std::size_t threads);
  WalkPool(const WalkPool&) = delete;
  WalkPool& operator=(const WalkPool&) = delete;
  ~WalkPool();

  bool is_empty() const { return threads_.empty(); }
  Status write_to(Output& output, Progress& progress);
  /// Ends the work. After write_to() was successful: what was lost and written.
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
  std::size_t next_ = 0;  // that nobody has opened
  AddressSpaces spaces_;

  std::vector<std::jthread> threads_;
};

}  // namespace physmem::collect
