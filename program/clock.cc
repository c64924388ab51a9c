// SPDX-License-Identifier: MIT
#include "program/clock.h"

#include <cerrno>
#include <csignal>
#include <ctime>

#include "program/duration.h"
#include "program/signals.h"

namespace physmem {
namespace {

class SystemClock final : public Clock {
 public:
  std::uint64_t now_ns() const override {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * kSecondNs +
           static_cast<std::uint64_t>(now.tv_nsec);
  }

  Woken wait_until(std::uint64_t deadline_ns, std::span<pollfd> files) override {
    // The signals are blocked except in ppoll(), so that one that arrives after the call of
    // interrupted() still ends the sleep.
    const sigset_t caught = caught_signals();
    sigset_t before;
    ::pthread_sigmask(SIG_BLOCK, &caught, &before);
    Woken woken = Woken::kSignal;
    while (!interrupted()) {
      const std::uint64_t now = now_ns();
      const std::uint64_t left = deadline_ns > now ? deadline_ns - now : 0;
      const timespec timeout{static_cast<time_t>(left / kSecondNs),
                             static_cast<long>(left % kSecondNs)};
      const int ready = ::ppoll(files.data(), files.size(), &timeout, &before);
      if (ready < 0 && errno == EINTR) continue;
      woken = ready > 0 ? Woken::kFile : Woken::kDeadline;
      break;
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return woken;
  }
};

}  // namespace

Clock& system_clock() {
  static SystemClock clock;
  return clock;
}

}  // namespace physmem
