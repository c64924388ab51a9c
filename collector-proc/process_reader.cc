// SPDX-License-Identifier: MIT
#include "collector-proc/process_reader.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cerrno>

#include "collector-proc/cgroup_reader.h"
#include "collector-proc/pagemap_scan.h"
#include "collector-proc/status_reader.h"
#include "collector-proc/text_cursor.h"
#include "formats/emit/flags.h"

namespace physmem::collect {
namespace {

std::string task_path(Pid tid, const char* name) {
  return "task/" + std::to_string(tid) + "/" + name;
}

/// /proc shows no program of a leader that has ended, and the root as its group of version 1.
std::string living_path(const Process& process, const char* name) {
  const bool is_leader_alive = process.holder == process.pid || process.holder == 0;
  return is_leader_alive ? name : task_path(process.holder, name);
}

void leader_first(Pid pid, std::vector<Pid>& tids) {
  const auto leader = std::find(tids.begin(), tids.end(), pid);
  if (leader != tids.end()) std::rotate(tids.begin(), leader, leader + 1);
}

}  // namespace

Access ProcessReader::malformed(const Process& process, const std::string& name,
                                const std::string& why) {
  error_ =
      bad_input(tree_.path(std::to_string(process.pid) + "/" + name) + " is malformed: " + why);
  return Access::kFailed;
}

Access ProcessReader::failed(const Process& process, const std::string& name, Access access) {
  if (access == Access::kFailed)
    error_ = io_error("read " + tree_.path(std::to_string(process.pid) + "/" + name), errno);
  return access;
}

Access ProcessReader::read_stat(const Process& process, const std::string& name, TaskStat& into) {
  const Access access = read_record_at(process.dir.get(), name.c_str(), buffer_);
  if (access != Access::kRead) return failed(process, name, access);
  if (buffer_.text().empty()) return Access::kGone;
  auto stat = parse_stat(buffer_.text());
  if (!stat) return malformed(process, name, "expected one line of at least 39 fields");
  into = std::move(*stat);
  return Access::kRead;
}

Access ProcessReader::missing_or(const Process& process, Access access) {
  if (access != Access::kGone || errno != ENOENT) return access;
  TaskStat stat;
  const bool is_there =
      read_stat(process, task_path(process.holder, "stat"), stat) == Access::kRead && stat.has_mm();
  return is_there ? Access::kUnsupported : access;
}

Access ProcessReader::list_threads(Process& process) {
  // Most processes have one thread. A leader that has exited is still counted while other threads
  // live.
  if (process.group.threads == 1) {
    process.tids = {process.pid};
    return Access::kRead;
  }
  const Access access = list_ids(process.dir.get(), "task", process.tids);
  return access == Access::kRead ? access : failed(process, "task", access);
}

Access ProcessReader::find_holder(Process& process) {
  process.holder = 0;
  if (process.group.has_mm()) {
    process.holder = process.pid;
    process.holder_stat = process.group;
    return Access::kRead;
  }
  if (process.tids.size() == 1) return Access::kRead;
  // The leader has exited while other threads are alive.
  for (const Pid tid : process.tids) {
    const Access access = read_stat(process, task_path(tid, "stat"), process.holder_stat);
    if (access == Access::kFailed) return access;
    if (access != Access::kRead || !process.holder_stat.has_mm()) continue;
    process.holder = tid;
    break;
  }
  return Access::kRead;
}

void ProcessReader::begin_snapshot(std::uint64_t now_ns, std::uint64_t max_age_ns) {
  now_ns_ = now_ns;
  may_remember_ = max_age_ns != 0;
  if (now_ns < max_age_ns) return;
  cgroups_.erase_before(now_ns - max_age_ns);
  uids_.erase_before(now_ns - max_age_ns);
}

void ProcessReader::read_cgroup(Process& process) {
  const std::uint64_t start = process.group.start_time;
  if (const std::string* known = may_remember_ ? cgroups_.find(process.pid, start) : nullptr) {
    process.cgroup = *known;
    return;
  }
  // Without CONFIG_CGROUPS the file is missing. If no hierarchy was ever mounted, it is empty and
  // all tasks are at the root.
  const bool has_cgroup = read_record_at(process.dir.get(), living_path(process, "cgroup").c_str(),
                                         buffer_) == Access::kRead;
  process.cgroup = !has_cgroup ? "" : buffer_.text().empty() ? "/" : memory_cgroup(buffer_.text());
  if (may_remember_) cgroups_.remember(process.pid, start, now_ns_, process.cgroup);
}

Access ProcessReader::open(Pid pid, Process& into) {
  into.pid = pid;
  into.dir = open_dir_at(tree_.fd(), std::to_string(pid).c_str());
  if (!into.dir) return failed(into, "", access_of_errno());
  Access access = read_stat(into, "stat", into.group);
  if (access != Access::kRead) return access;
  access = list_threads(into);
  if (access != Access::kRead) return access;
  if (into.tids.empty()) return Access::kGone;
  leader_first(pid, into.tids);
  access = find_holder(into);
  if (access == Access::kRead) read_cgroup(into);
  return access;
}

Access ProcessReader::thread(const Process& process, Pid tid, Thread& into) {
  into.tid = tid;
  Access access = read_stat(process, task_path(tid, "stat"), into.stat);
  if (access != Access::kRead) return access;
  if (const std::uint64_t* known =
          may_remember_ ? uids_.find(tid, into.stat.start_time) : nullptr) {
    into.uid = *known;
    return Access::kRead;
  }
  const std::string name = task_path(tid, "status");
  access = read_record_at(process.dir.get(), name.c_str(), buffer_);
  if (access != Access::kRead) return failed(process, name, access);
  if (buffer_.text().empty()) return Access::kGone;
  const auto status = parse_status(buffer_.text());
  if (!status) return malformed(process, name, "expected lines Tgid: and Uid:");
  into.uid = status->uid;
  if (may_remember_) uids_.remember(tid, into.stat.start_time, now_ns_, into.uid);
  return Access::kRead;
}

Access ProcessReader::areas(const Process& process, AreaSource& into) {
  const std::string pagemap = task_path(process.holder, "pagemap");
  const std::string maps = task_path(process.holder, "maps");
  into.pagemap = open_at(process.dir.get(), pagemap.c_str());
  if (!into.pagemap) return failed(process, pagemap, missing_or(process, access_of_errno()));
  const Access access = read_at(process.dir.get(), maps.c_str(), into.text);
  if (access != Access::kRead) return failed(process, maps, access);
  const Status parsed = parse_maps(into.text.text(), into.areas.list);
  if (!parsed) return malformed(process, maps, parsed.error().text);
  const std::vector<Area>& areas = into.areas.list.areas();
  const auto is_large = [](const Area& area) { return area.end - area.start > kMinScanWindow; };
  into.page_tables_kb =
      std::ranges::any_of(areas, is_large) ? status_kb(process, "VmPTE:").value_or(~0ull) : 0;
  return areas.empty() ? Access::kGone : Access::kRead;
}

Access ProcessReader::rollup(const Process& process, RollupTime time, Rollup& into) {
  TaskStat stat;
  Access access = Access::kRead;
  if (time == RollupTime::kBefore) access = read_stat(process, "stat", stat);
  if (access != Access::kRead) return access;
  const std::string name = task_path(process.holder, "smaps_rollup");
  access = read_at(process.dir.get(), name.c_str(), buffer_);
  if (access != Access::kRead) return failed(process, name, access);
  // Empty for a process whose address space is gone.
  if (buffer_.text().empty()) return Access::kGone;
  const auto rollup = parse_rollup(buffer_.text());
  if (!rollup) return malformed(process, name, "expected lines Rss: and Pss:");
  if (time == RollupTime::kAfter) access = read_stat(process, "stat", stat);
  into = *rollup;
  into.faults = stat.min_flt + stat.maj_flt;
  return access;
}

std::optional<std::uint64_t> ProcessReader::status_kb(const Process& process, const char* line) {
  const std::string name = task_path(process.holder, "status");
  if (read_record_at(process.dir.get(), name.c_str(), buffer_) != Access::kRead)
    return std::nullopt;
  return number_of_line(buffer_.text(), line);
}

Access ProcessReader::counted_areas(const Process& process, std::uint64_t page_size,
                                    AreaSource& into) {
  const std::string smaps = task_path(process.holder, "smaps");
  const Access access = missing_or(process, read_at(process.dir.get(), smaps.c_str(), into.text));
  if (access != Access::kRead) return failed(process, smaps, access);
  const Status parsed = parse_smaps(into.text.text(), page_size, into.areas);
  if (!parsed) return malformed(process, smaps, parsed.error().text);
  return into.areas.list.areas().empty() ? Access::kGone : Access::kRead;
}

std::optional<Pid> process_of(const ProcTree& tree, Pid id) {
  ReadBuffer buffer;
  if (read_at(tree.fd(), (std::to_string(id) + "/status").c_str(), buffer) != Access::kRead)
    return std::nullopt;
  const auto status = parse_status(buffer.text());
  return status ? std::optional(status->tgid) : std::nullopt;
}

std::uint64_t resident_pages(const ProcTree& tree, Pid pid) {
  ReadBuffer buffer;
  if (read_at(tree.fd(), (std::to_string(pid) + "/statm").c_str(), buffer) != Access::kRead)
    return 0;
  TextCursor fields(buffer.text());
  fields.until(' ');  // skips the size of the address space
  return fields.number().value_or(0);
}

void mark_executable(const Process& process, AreaList& areas) {
  const std::string exe = living_path(process, "exe");
  const auto path = read_link_at(process.dir.get(), exe.c_str());
  if (!path) return;  // a kernel thread, or no permission
  const auto has_name = [&](const Area& area) { return area.inode != 0 && area.unit == *path; };
  if (areas.mark(PM_VMA_EXECUTABLE, has_name)) return;
  // Compares by inode only if the name does not match: on btrfs and overlayfs maps shows another
  // device number than stat.
  struct stat program {};
  if (::fstatat(process.dir.get(), exe.c_str(), &program, 0) != 0) return;
  areas.mark(PM_VMA_EXECUTABLE, [&](const Area& area) {
    return area.inode != 0 && area.inode == program.st_ino &&
           area.dev_major == major(program.st_dev) && area.dev_minor == minor(program.st_dev);
  });
}

}  // namespace physmem::collect
