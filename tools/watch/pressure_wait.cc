// SPDX-License-Identifier: MIT
#include "tools/watch/pressure_wait.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "collector-proc/counters_reader.h"
#include "collector-proc/text_cursor.h"
#include "program/duration.h"
#include "program/option_value.h"

namespace physmem::watch {
namespace {

using collect::Access;
using collect::ProcTree;

constexpr std::uint64_t kPollInterval = 5 * kSecondNs;
// Without CAP_SYS_RESOURCE, windows must be multiples of this since Linux 6.5 (d82caa273565,
// "sched/psi: Allow unprivileged PSI polling"). Before 6.5, triggers require the capability.
constexpr std::uint64_t kUnprivilegedWindow = 2'000'000;

class TriggerWait final : public PressureWait {
 public:
  TriggerWait(UniqueFd fd, const Trigger& trigger) : fd_(std::move(fd)), trigger_(trigger) {}

  Waited wait(std::uint64_t deadline_ns) override {
    pollfd file{fd_.get(), POLLPRI, 0};
    switch (system_clock().wait_until(deadline_ns, {&file, 1})) {
      case Woken::kSignal:
        return Waited::kSignal;
      case Woken::kDeadline:
        return Waited::kDeadline;
      case Woken::kFile:
        break;
    }
    // POLLERR (the trigger was lost) also counts as pressure: an extra sample does no harm.
    return Waited::kPressure;
  }
  std::string name() const override { return "PSI trigger " + text_of(trigger_); }

 private:
  UniqueFd fd_;
  Trigger trigger_;
};

/// Opens a file and sets the trigger, or sets the error number.
UniqueFd open_trigger(const ProcTree& tree, const Trigger& trigger, int& error_number) {
  UniqueFd fd(::openat(tree.fd(), "pressure/memory", O_RDWR | O_NONBLOCK | O_CLOEXEC));
  const std::string text = text_of(trigger);
  if (fd && ::write(fd.get(), text.c_str(), text.size() + 1) >= 0) return fd;
  error_number = errno;
  return {};
}

Trigger stretched(Trigger trigger) {
  const std::uint64_t windows = (trigger.window_us + kUnprivilegedWindow - 1) / kUnprivilegedWindow;
  trigger.stall_us = trigger.stall_us * windows * kUnprivilegedWindow / trigger.window_us;
  trigger.window_us = windows * kUnprivilegedWindow;
  return trigger;
}

class PollWait final : public PressureWait {
 public:
  PollWait(const ProcTree& tree, const Trigger& trigger, std::uint64_t interval_ns,
           std::string reason, Clock& clock)
      : tree_(tree),
        trigger_(trigger),
        interval_ns_(interval_ns),
        reason_(std::move(reason)),
        clock_(clock) {}

  Waited wait(std::uint64_t deadline_ns) override {
    std::optional<std::uint64_t> before = look();
    for (;;) {
      const std::uint64_t start = clock_.now_ns();
      if (start >= deadline_ns) return Waited::kDeadline;
      if (clock_.wait_until(std::min(deadline_ns, start + interval_ns_), {}) == Woken::kSignal)
        return Waited::kSignal;
      const std::optional<std::uint64_t> now = look();
      if (before && now && *now - *before >= least(clock_.now_ns() - start))
        return Waited::kPressure;
      before = now;
    }
  }
  std::string name() const override {
    return "polling " + tree_.path(has_psi_ ? "pressure/memory" : "vmstat") + " every " +
           duration_text(interval_ns_) + " (no PSI trigger: " + reason_ + ")";
  }

 private:
  /// Microseconds of stall, or pages scanned if there is no PSI, also for limits of cgroups.
  std::optional<std::uint64_t> look() {
    std::vector<collect::Counter> counters;
    has_psi_ = read_at(tree_.fd(), "pressure/memory", buffer_) == Access::kRead;
    if (has_psi_) {
      collect::parse_pressure(buffer_.text(), "psi.memory.", counters);
      return find_counter(counters, trigger_.is_full ? "psi.memory.full_us" : "psi.memory.some_us");
    }
    if (read_at(tree_.fd(), "vmstat", buffer_) != Access::kRead) return std::nullopt;
    collect::parse_vmstat(buffer_.text(), counters);
    return find_counter(counters, "vm.pgscan_anon").value_or(0) +
           find_counter(counters, "vm.pgscan_file").value_or(0);
  }
  /// The stall of the trigger in proportion to the elapsed time; without PSI, any scanning.
  std::uint64_t least(std::uint64_t elapsed_ns) const {
    if (!has_psi_) return 1;
    return std::max<std::uint64_t>(elapsed_ns / 1000 * trigger_.stall_us / trigger_.window_us, 1);
  }

  const ProcTree& tree_;
  Trigger trigger_;
  std::uint64_t interval_ns_;
  std::string reason_;
  Clock& clock_;
  collect::ReadBuffer buffer_;
  bool has_psi_ = true;
};

}  // namespace

std::string read_trigger(std::string_view text, Trigger& trigger) {
  constexpr const char* kForm = "\"some STALL WINDOW\" or \"full STALL WINDOW\", in microseconds";
  collect::TextCursor cursor(text);
  const bool is_full = cursor.skip("full ");
  if (!is_full && !cursor.skip("some ")) return kForm;
  const auto stall = cursor.number();
  if (!stall || !cursor.skip(' ')) return kForm;
  const auto window = cursor.number();
  if (!window || !cursor.at_end()) return kForm;
  // WINDOW_MIN_US and WINDOW_MAX_US of kernel/sched/psi.c.
  if (*window < 500'000 || *window > 10'000'000)
    return "a window from 500000 to 10000000 microseconds";
  if (*stall == 0 || *stall > *window)
    return "a stall from 1 to the window, which is " + std::to_string(*window) + " microseconds";
  trigger = {is_full, *stall, *window};
  return {};
}

std::string text_of(const Trigger& trigger) {
  return (trigger.is_full ? "full " : "some ") + std::to_string(trigger.stall_us) + " " +
         std::to_string(trigger.window_us);
}

std::unique_ptr<PressureWait> poll_pressure(const ProcTree& tree, const Trigger& trigger,
                                            std::uint64_t interval_ns, std::string reason,
                                            Clock& clock) {
  return std::make_unique<PollWait>(tree, trigger, interval_ns, std::move(reason), clock);
}

std::string refusal_of(const Trigger& trigger, int error_number) {
  if (error_number != EINVAL) return {};
  const bool is_multiple = trigger.window_us % kUnprivilegedWindow == 0;
  return wrong_value("--trigger", text_of(trigger),
                     is_multiple ? "a trigger that this kernel accepts"
                                 : "a window that is a multiple of 2000000 microseconds: without "
                                   "CAP_SYS_RESOURCE the kernel accepts no other (root has it)");
}

Result<std::unique_ptr<PressureWait>> open_pressure_wait(const ProcTree& tree,
                                                         const Trigger& trigger, bool is_chosen) {
  if (!tree.is_live())
    return poll_pressure(tree, trigger, kPollInterval,
                         tree.name() + " is not the /proc of this system");
  const std::size_t tries = is_chosen ? 1 : 2;
  const Trigger wanted[] = {trigger, stretched(trigger)};
  int error_number = 0;
  for (std::size_t i = 0; i < tries; ++i) {
    if (UniqueFd fd = open_trigger(tree, wanted[i], error_number))
      return std::unique_ptr<PressureWait>(std::make_unique<TriggerWait>(std::move(fd), wanted[i]));
  }
  if (const std::string refusal = refusal_of(trigger, error_number); is_chosen && !refusal.empty())
    return Error{Error::Kind::kUsage, refusal};
  return poll_pressure(tree, trigger, kPollInterval, std::strerror(error_number));
}

}  // namespace physmem::watch
