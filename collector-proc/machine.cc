// SPDX-License-Identifier: MIT
#include "collector-proc/machine.h"
#include "program/machine_id.h"

#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <ctime>

#include "collector-proc/proc_tree.h"
#include "program/machine_id.h"

namespace physmem::collect {
namespace {

std::uint64_t now_ns(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
}

std::string read_boot_id() {
  ReadBuffer id;
  if (read_at(AT_FDCWD, "/proc/sys/kernel/random/boot_id", id) != Access::kRead) return {};
  return std::string(id.text().substr(0, id.text().find('\n')));
}

}  // namespace

std::uint64_t uptime_ns() {
  return now_ns(CLOCK_BOOTTIME);
}

std::uint64_t cpu_time_ns() {
  return now_ns(CLOCK_PROCESS_CPUTIME_ID);
}

Machine this_machine() {
  Machine machine;
  utsname names{};
  if (::uname(&names) == 0) {
    machine.arch = names.machine;
    machine.kernel = names.release;
    machine.host = names.nodename;
  }
  machine.page_size = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  machine.hz = static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  machine.machine_id = this_machine_id();
  machine.boot_id = read_boot_id();
  machine.time_ns = now_ns(CLOCK_REALTIME);
  machine.uptime_ns = uptime_ns();
  machine.cpu_ns = cpu_time_ns();
  return machine;
}

}  // namespace physmem::collect
