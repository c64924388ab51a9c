// SPDX-License-Identifier: MIT
#include "collector-proc/machine.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <ctime>

namespace physmem::collect {
namespace {

std::uint64_t now_ns(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace

std::uint64_t uptime_ns() {
  return now_ns(CLOCK_BOOTTIME);
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
  machine.time_ns = now_ns(CLOCK_REALTIME);
  machine.uptime_ns = uptime_ns();
  return machine;
}

}  // namespace physmem::collect
