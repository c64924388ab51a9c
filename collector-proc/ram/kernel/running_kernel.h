// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "collector-proc/proc_tree.h"
#include "collector-proc/ram/physical_map.h"
#include "formats/emit/emit.h"

namespace physmem::collect {

/// The running kernel's memory with its types, through /proc/kcore or BPF, /proc/kallsyms and
/// /sys/kernel/btf/vmlinux. It requires root, and no module.
///
/// The kernel changes while it is read. What contradicts itself has no owner.
class RunningKernel {
 public:
  enum class Way { kKcore, kBpf };
  /// `sys`: a /sys tree. The error says what this kernel or these rights lack.
  static Result<std::unique_ptr<RunningKernel>> open(const ProcTree& tree, int sys,
                                                     std::uint64_t page_size, Way way,
                                                     const std::vector<FrameSpan>& map);
  ~RunningKernel();

  /// Reads the kernel's lists of its own memory. It takes memory and time, so it comes before the
  /// kernel's totals are read, and these before write_ram().
  Status read_lists();
  /// Writes each frame of the map with its class and owner (R:, O:). Once after read_lists().
  /// `owners`: the number of O: lines before, with ids from 1 on.
  Status write_ram(const std::vector<FrameSpan>& map, std::uint64_t owners, pm_out& out,
                   const std::function<Status()>& go_on);

 private:
  class Image;
  explicit RunningKernel(std::unique_ptr<Image> image);
  std::unique_ptr<Image> image_;
};

}  // namespace physmem::collect
