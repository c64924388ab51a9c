// SPDX-License-Identifier: MIT
#include "collector-proc/machine.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <ctime>

#include "collector-proc/proc_tree.h"
#include "collector-proc/text_cursor.h"
#include "program/machine_id.h"

namespace physmem::collect {
namespace {

std::uint64_t now_ns(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
}

/// The first line of a file of the tree; empty: it cannot be read.
std::string first_line(const ProcTree& tree, const char* name) {
  ReadBuffer text;
  if (read_at(tree.fd(), name, text) != Access::kRead) return {};
  return std::string(text.text().substr(0, text.text().find('\n')));
}

/// The uptime in a copy: the file has seconds with two decimals.
std::uint64_t uptime_of_copy(const ProcTree& tree) {
  const std::string text = first_line(tree, "uptime");
  TextCursor cursor(text);
  return cursor.number().value_or(0) * 1'000'000'000u;
}

/// In a container with the process ids of the machine, this process has a name of its own; process
/// 1 has the machine's name. Empty: process 1 has another name, which may not be read.
std::string host_of(const ProcTree& tree, const utsname& own) {
  const auto of_first = read_link_at(tree.fd(), "1/ns/uts");
  if (!of_first || of_first == read_link_at(AT_FDCWD, "/proc/thread-self/ns/uts"))
    return own.nodename;
  // Not open_at(), which follows no link.
  const UniqueFd there(::openat(tree.fd(), "1/ns/uts", O_RDONLY | O_CLOEXEC));
  const UniqueFd here(::open("/proc/thread-self/ns/uts", O_RDONLY | O_CLOEXEC));
  if (!there || !here || ::setns(there.get(), CLONE_NEWUTS) != 0) return {};
  utsname names{};
  const bool is_read = ::uname(&names) == 0;
  ::setns(here.get(), CLONE_NEWUTS);
  return is_read ? names.nodename : "";
}

/// The id below the root of process 1, for the same reason; the own one without that right.
std::string machine_id_of_first(const ProcTree& tree) {
  const UniqueFd etc(::openat(tree.fd(), "1/root/etc", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!etc) return access_of_errno() == Access::kDenied ? this_machine_id() : "";
  const UniqueFd file(::openat(etc.get(), "machine-id", O_RDONLY | O_CLOEXEC));
  ReadBuffer text;
  return file && text.fill_once(file.get()) == Access::kRead ? machine_id_of(text.text()) : "";
}

const char* text_or_null(const std::string& text) {
  return text.empty() ? nullptr : text.c_str();
}

}  // namespace

std::uint64_t uptime_ns() {
  return now_ns(CLOCK_BOOTTIME);
}

std::uint64_t cpu_time_ns() {
  return now_ns(CLOCK_PROCESS_CPUTIME_ID);
}

Machine machine_of(const ProcTree& tree) {
  Machine machine;
  utsname names{};
  ::uname(&names);
  machine.arch = names.machine;
  machine.page_size = static_cast<std::uint64_t>(::getpagesize());
  machine.hz = ::getauxval(AT_CLKTCK);
  machine.boot_id = first_line(tree, "sys/kernel/random/boot_id");
  machine.time_ns = now_ns(CLOCK_REALTIME);
  machine.cpu_ns = cpu_time_ns();
  if (tree.is_copy()) {
    machine.kernel = first_line(tree, "sys/kernel/osrelease");
    machine.host = first_line(tree, "sys/kernel/hostname");
    machine.uptime_ns = uptime_of_copy(tree);
  } else {
    machine.kernel = names.release;
    machine.host = host_of(tree, names);
    machine.machine_id = machine_id_of_first(tree);
    machine.uptime_ns = uptime_ns();
  }
  if (machine.kernel.empty()) machine.kernel = "unknown";
  return machine;
}

pm_header header_of(const Machine& machine) {
  constexpr std::uint64_t kMaxAddress = 0x000fffffffffffff;  // 52 bits: the maximum of all machines
  pm_header header{};
  header.arch = machine.arch.c_str();
  header.kernel = machine.kernel.c_str();
  header.collector = "proc";
  header.host = machine.host.c_str();
  header.machine_id = text_or_null(machine.machine_id);
  header.boot_id = text_or_null(machine.boot_id);
  header.has_sequence = machine.sequence.has_value();
  header.sequence = machine.sequence.value_or(0);
  header.pte = header.prot = header.pages = header.areas = "none";
  header.page_size = machine.page_size;
  header.time_ns = machine.time_ns;
  header.uptime_ns = machine.uptime_ns;
  header.hz = machine.hz;
  header.phys_mask = ~(machine.page_size - 1) & kMaxAddress;
  return header;
}

}  // namespace physmem::collect
