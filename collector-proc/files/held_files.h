// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "collector-proc/counters_reader.h"
#include "collector-proc/files/process_mounts.h"
#include "collector-proc/proc_tree.h"
#include "formats/emit/out.h"
#include "program/errors.h"

namespace physmem::collect {

/// Memory that processes hold by descriptors: files of a tmpfs, memfds, System V shared memory,
/// hugetlbfs, deleted files, dma-bufs. Nothing is read from a file.
class HeldFiles {
 public:
  /// Writes D: lines.
  HeldFiles(const ProcTree& tree, std::uint64_t page_size, pm_out& out)
      : tree_(tree), page_size_(page_size), out_(out), mounts_(tree) {}

  Status write(const std::vector<Pid>& pids, const std::function<Status()>& go_on);
  /// holders.descriptors, holders.denied
  std::vector<Counter> counters() const;

 private:
  void write_of(Pid pid);
  void write_descriptor(Pid pid, Pid descriptor);
  const char* kind_of(const std::string& process, Pid descriptor, const std::string& name);

  const ProcTree& tree_;
  std::uint64_t page_size_;
  pm_out& out_;
  ProcessMounts mounts_;
  std::uint64_t descriptors_ = 0;
  std::uint64_t denied_ = 0;  ///< processes whose descriptors may not be read
};

}  // namespace physmem::collect
