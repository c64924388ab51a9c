// SPDX-License-Identifier: MIT
#include "collector-proc/poll_until.h"

#include <cerrno>
#include <csignal>

#include "collector-proc/duration.h"
#include "collector-proc/machine.h"
#include "system/signals.h"

namespace physmem::collect {

Woken poll_until(std::uint64_t deadline_ns, std::span<pollfd> files) {
  // Blocked but within ppoll(): a signal between the question and the sleep would be slept over.
  const sigset_t caught = caught_signals();
  sigset_t before;
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

}  // namespace physmem::collect
