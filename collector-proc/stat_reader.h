// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace physmem::collect {

/// Fields of /proc/PID/stat or /proc/PID/task/TID/stat that a snapshot needs (see proc(5)).
struct TaskStat {
  std::string comm;
  std::uint64_t ppid = 0;
  std::uint64_t flags = 0;  // PF_* of the kernel
  std::uint64_t min_flt = 0, cmin_flt = 0, maj_flt = 0, cmaj_flt = 0;
  std::uint64_t utime = 0, stime = 0;  // 1/hz s
  std::uint64_t threads = 0;           // of its process
  std::uint64_t start_time = 0;        // 1/hz s since boot
  std::uint64_t vsize = 0;             // bytes; 0: no address space
  std::uint64_t rss = 0;               // pages
  std::uint64_t start_code = 0, start_stack = 0;
  std::uint64_t cpu = 0;

  bool has_mm() const { return vsize != 0; }
  bool is_kernel_thread() const { return (flags & 0x00200000) != 0; }  // PF_KTHREAD
};

/// Returns nothing if the text is not a stat line.
std::optional<TaskStat> parse_stat(std::string_view text);

}  // namespace physmem::collect
