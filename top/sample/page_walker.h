// SPDX-License-Identifier: MIT
// Reads the pages of processes in a thread of its own, so that a large process or one whose lock is
// held does not stop the screen.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "collector-proc/proc_tree.h"
#include "top/model/details.h"
#include "top/sample/page_reader.h"

namespace physmem::top {

/// The result for one process. Without sizes it could not be read: it ended, or access is denied.
struct WalkedProcess {
  collect::Pid pid = 0;
  std::uint64_t start_time = 0;
  struct Sizes {
    std::uint64_t uss_kib = 0;
    std::uint64_t pss_kib = 0;
    std::uint64_t rss_kib = 0;
  };
  std::optional<Sizes> sizes;
  bool is_denied = false;
  std::uint64_t read_at_ns = 0;            ///< since boot
  std::shared_ptr<const Details> details;  ///< if they were requested
};

/// Walks and what they cost.
struct WalkedBatch {
  std::vector<WalkedProcess> processes;
  std::uint64_t pages = 0;
  std::uint64_t cpu_ns = 0;
};

/// Reads the pages of one process. Used by one thread.
class ProcessWalker {
 public:
  ProcessWalker(const collect::ProcTree& tree, std::uint64_t page_size)
      : reader_(tree, page_size), page_size_(page_size) {}

  bool begin() { return reader_.begin(); }
  WalkedProcess walk(collect::Pid pid, bool with_details, std::stop_token stop);
  void end() { reader_.end(); }
  std::uint64_t pages() const { return reader_.pages(); }

 private:
  PageReader reader_;
  std::uint64_t page_size_;
};

class PageWalker {
 public:
  /// The tree must outlive it.
  PageWalker(const collect::ProcTree& tree, std::uint64_t page_size);
  ~PageWalker();
  PageWalker(const PageWalker&) = delete;
  PageWalker& operator=(const PageWalker&) = delete;

  /// Whether everything that was requested has been read.
  bool is_idle() const;
  /// Requests walks. `detailed` is one of the processes, or another that is read first.
  void request(std::vector<collect::Pid> pids, std::optional<collect::Pid> detailed);
  void wait_until_idle();
  /// What has been read since the last call.
  WalkedBatch take();

 private:
  void run(const std::stop_token& stop);
  void walk_all(const std::vector<collect::Pid>& pids, std::optional<collect::Pid> detailed,
                const std::stop_token& stop);
  void deliver(WalkedProcess&& process, std::uint64_t pages, std::uint64_t cpu_ns);

  ProcessWalker walker_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  bool is_busy_ = false;
  std::vector<collect::Pid> pids_;
  std::optional<collect::Pid> detailed_;
  WalkedBatch done_;
  std::jthread thread_;  // last: it uses the other members
};

}  // namespace physmem::top
