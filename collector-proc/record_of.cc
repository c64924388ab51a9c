// SPDX-License-Identifier: MIT
#include "collector-proc/record_of.h"

#include <string_view>

namespace physmem::collect {
namespace {

pm_text text_of(std::string_view text) {
  return {text.data(), text.size()};
}

}  // namespace

pm_task record_of(const Process& process, const Thread& thread, std::uint64_t mm) {
  const TaskStat& own = thread.stat;
  const TaskStat& group = process.group;
  pm_task task{};
  task.comm = text_of(own.comm);
  task.pid = thread.tid;
  task.mm = own.has_mm() ? mm : 0;
  task.cpu = own.cpu;
  task.min_flt = own.min_flt;
  task.maj_flt = own.maj_flt;
  task.cmin_flt = own.cmin_flt;
  task.cmaj_flt = own.cmaj_flt;
  task.utime = own.utime;
  task.stime = own.stime;
  task.tgid = process.pid;
  task.start_time = own.start_time;
  task.ppid = own.ppid;
  task.uid = thread.uid;
  task.is_leader = thread.tid == process.pid;
  task.group_min_flt = group.min_flt;
  task.group_maj_flt = group.maj_flt;
  task.group_utime = group.utime;
  task.group_stime = group.stime;
  task.cgroup = text_of(process.cgroup);
  return task;
}

pm_vma record_of(const Area& area, std::uint64_t resident_bytes) {
  pm_vma vma{};
  vma.start = area.start;
  vma.last = area.end - 1;
  vma.resident = resident_bytes;
  vma.flags = area.flags;
  vma.unit = text_of(area.unit);
  vma.offset = area.offset;
  vma.dev_major = area.dev_major;
  vma.dev_minor = area.dev_minor;
  vma.inode = area.inode;
  return vma;
}

}  // namespace physmem::collect
