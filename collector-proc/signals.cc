// SPDX-License-Identifier: MIT
#include "collector-proc/signals.h"

#include <array>
#include <cerrno>
#include <csignal>

#include "collector-proc/duration.h"
#include "collector-proc/machine.h"

namespace physmem::collect {
namespace {

volatile std::sig_atomic_t caught_signal = 0;

constexpr std::array kCaught{SIGINT, SIGTERM, SIGHUP};

void remember(int signal) {
  caught_signal = signal;
}

}  // namespace

void catch_signals() {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, nullptr);
  for (const int signal : kCaught) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = remember;
    ::sigaction(signal, &action, nullptr);
  }
}

bool interrupted() {
  return caught_signal != 0;
}

Woken poll_until(std::uint64_t deadline_ns, std::span<pollfd> files) {
  // Blocked but within ppoll(): a signal between the question and the sleep would be slept over.
  sigset_t caught;
  sigset_t before;
  sigemptyset(&caught);
  for (const int signal : kCaught) sigaddset(&caught, signal);
  ::sigprocmask(SIG_BLOCK, &caught, &before);
  Woken woken = Woken::kSignal;
  while (!interrupted()) {
    const std::uint64_t now = monotonic_ns();
    const std::uint64_t left = deadline_ns > now ? deadline_ns - now : 0;
    const timespec timeout{static_cast<time_t>(left / kSecondNs), static_cast<long>(left % kSecondNs)};
    const int ready = ::ppoll(files.data(), files.size(), &timeout, &before);
    if (ready < 0 && errno == EINTR) continue;
    woken = ready > 0 ? Woken::kFile : Woken::kDeadline;
    break;
  }
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return woken;
}

void die_of_signal() {
  if (caught_signal == 0) return;
  std::signal(caught_signal, SIG_DFL);
  std::raise(caught_signal);
}

}  // namespace physmem::collect
