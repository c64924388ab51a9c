// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "collector-proc/proc_tree.h"
#include "program/clock.h"
#include "program/errors.h"

namespace physmem::watch {

/// Condition to wake up: tasks waited for memory for stall_us within window_us
/// (Documentation/accounting/psi.rst).
struct Trigger {
  bool is_full = false;  // all non-idle tasks waited; false: some task
  std::uint64_t stall_us = 70'000;
  std::uint64_t window_us = 1'000'000;  // the kernel accepts 0.5 to 10 s
};

/// Parses "some 70000 1000000". Empty, or what was expected if the text has another form or no
/// kernel accepts it.
std::string read_trigger(std::string_view text, Trigger& trigger);
std::string text_of(const Trigger& trigger);

enum class Waited { kPressure, kDeadline, kSignal };

/// Sleeps until there is memory pressure.
class PressureWait {
 public:
  virtual ~PressureWait() = default;
  PressureWait() = default;
  PressureWait(const PressureWait&) = delete;
  PressureWait& operator=(const PressureWait&) = delete;

  /// Waits for memory pressure, the deadline (CLOCK_MONOTONIC) or a signal.
  virtual Waited wait(std::uint64_t deadline_ns) = 0;
  /// Description for the user: "PSI trigger some 70000 1000000".
  virtual std::string name() const = 0;
};

/// Why the kernel rejected a trigger that the user chose. Empty if it has no triggers, or none for
/// this user.
std::string refusal_of(const Trigger& trigger, int error_number);

/// Uses the kernel's trigger or, if it is not available, polls the counters every few seconds. If
/// the kernel rejects the trigger, this is an error if `is_chosen`; otherwise the window is
/// extended. The tree must outlive the result.
Result<std::unique_ptr<PressureWait>> open_pressure_wait(const collect::ProcTree& tree,
                                                         const Trigger& trigger, bool is_chosen);

/// Polls the counters once per interval.
std::unique_ptr<PressureWait> poll_pressure(const collect::ProcTree& tree, const Trigger& trigger,
                                            std::uint64_t interval_ns, std::string reason,
                                            Clock& clock = system_clock());

}  // namespace physmem::watch
