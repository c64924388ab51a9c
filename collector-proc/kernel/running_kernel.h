// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "collector-proc/proc_tree.h"
#include "collector-proc/ram/physical_map.h"
#include "collector-proc/scope.h"
#include "formats/emit/emit.h"

namespace physmem::collect {

/// The running kernel's memory with its types, through /proc/kcore or BPF, /proc/kallsyms and
/// /sys/kernel/btf/vmlinux. It requires root, and no module.
///
/// The kernel changes while it is read. What contradicts itself has no owner.
class RunningKernel {
 public:
  /// What is called around the records of a process.
  struct Around {
    /// Before them. The last of the processes has done == all.
    std::function<Status(Pid pid, std::size_t done, std::size_t all)> before;
    /// With the entries of their page tables that have a broken frame, or one that is being moved.
    std::function<Status(std::uint64_t poisoned, std::uint64_t migrating)> after;
    /// After the task of a process whose areas change too fast to be read.
    std::function<void(Pid pid)> unread;
  };

  /// `by`: kKcore or kBpf. `sys`: a /sys tree. `with_ram`: for write_ram(), too. The error says
  /// what this kernel or these rights lack.
  static Result<std::unique_ptr<RunningKernel>> open(const ProcTree& tree, int sys,
                                                     std::uint64_t page_size, Source by,
                                                     const std::vector<FrameSpan>& map,
                                                     bool with_ram);
  ~RunningKernel();

  Source source() const { return by_; }
  /// Whether RAM and the swap devices are the same as at open(). Then the next snapshot can use it.
  bool is_current(const ProcTree& tree, const std::vector<FrameSpan>& map) const;

  /// Writes the processes of the scope with their areas and pages, and adds to `totals`. They may
  /// run, and no lock of the kernel is taken. `pids`: sorted ids of processes; empty: all.
  Status write_processes(const Scope& scope, const std::vector<Pid>& pids, pm_out& out,
                         pm_end& totals, const Around& around);
  /// Of write_processes(): processes that changed at each try to read them, and places in lists of
  /// the kernel that made no sense.
  struct Unread {
    std::uint64_t spaces = 0, lists = 0;
  };
  Unread unread() const;
  /// False: the kernel's own frames have no functions as owners, for lack of CAP_SYSLOG.
  bool has_symbols() const;
  /// The bits of a page-table entry that are the address of its frame.
  std::uint64_t phys_mask() const;

  /// Reads the kernel's lists of its own memory. It takes memory and time, so it comes before the
  /// kernel's totals are read, and these before write_ram().
  Status read_lists();
  /// Writes each frame of the map with its class and owner (R:, O:). Once after read_lists().
  /// `owners`: the number of O: lines before, with ids from 1 on.
  Status write_ram(const std::vector<FrameSpan>& map, std::uint64_t owners, pm_out& out,
                   const std::function<Status()>& go_on);

 private:
  class Image;
  RunningKernel(std::unique_ptr<Image> image, Source by, std::vector<FrameSpan> map,
                std::uint64_t swap_devices);
  std::unique_ptr<Image> image_;
  Source by_;
  std::vector<FrameSpan> map_;
  std::uint64_t swap_devices_;
};

}  // namespace physmem::collect
