// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collector-proc/counters_reader.h"
#include "collector-proc/files/file_facts.h"
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
  HeldFiles(const ProcTree& tree, std::uint64_t page_size, pm_out& out);

  Status write(const std::vector<Pid>& pids, const std::function<Status()>& go_on);
  /// holders.descriptors, holders.denied
  std::vector<Counter> counters() const;

 private:
  void write_of(Pid pid);
  void write_descriptor(Pid pid, Pid descriptor);
  const char* kind_of(const FileSystem* on, const FileFacts& facts, std::string_view name) const;

  const ProcTree& tree_;
  std::uint64_t page_size_;
  pm_out& out_;
  ProcessMounts mounts_;
  /// Devices of the file systems in which the kernel makes memfds and System V segments.
  std::pair<std::uint32_t, std::uint32_t> internal_tmpfs_, internal_hugetlb_;
  std::uint64_t descriptors_ = 0;
  std::uint64_t denied_ = 0;  ///< processes whose descriptors may not be read
};

}  // namespace physmem::collect
