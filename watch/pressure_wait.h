// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "collector-proc/proc_tree.h"
#include "collector-proc/result.h"
#include "program/clock.h"

namespace physmem::watch {

/// When to wake up: tasks waited for memory for stall_us within window_us
/// (Documentation/accounting/psi.rst).
struct Trigger {
  bool is_full = false;  // all tasks that were not idle; else: some task
  std::uint64_t stall_us = 70'000;
  std::uint64_t window_us = 1'000'000;  // the kernel takes 0.5 to 10 s
};

/// Reads "some 70000 1000000". Empty, or what was expected: for any other text, and for what no
/// kernel takes.
std::string read_trigger(std::string_view text, Trigger& trigger);
std::string text_of(const Trigger& trigger);

enum class Waited { kPressure, kDeadline, kSignal };

/// Sleeps while all is well.
class PressureWait {
 public:
  virtual ~PressureWait() = default;
  PressureWait() = default;
  PressureWait(const PressureWait&) = delete;
  PressureWait& operator=(const PressureWait&) = delete;

  /// Until memory is short, the monotonic clock says so, or a signal comes.
  virtual Waited wait(std::uint64_t deadline_ns) = 0;
  /// What it waits for and how, for the user: "PSI trigger some 70000 1000000".
  virtual std::string name() const = 0;
};

/// Why the kernel refused a trigger that the user chose; empty where it has no triggers, or none
/// for this user.
std::string refusal_of(const Trigger& trigger, int error_number);

/// The kernel's trigger; where it has none, or gives us none, a look at the counters every few
/// seconds. One that the kernel does not take is an error if it `is_chosen`; otherwise its window
/// is stretched. The tree must outlive it.
collect::Result<std::unique_ptr<PressureWait>> open_pressure_wait(const collect::ProcTree& tree,
                                                                  const Trigger& trigger,
                                                                  bool is_chosen);

/// That look, every interval.
std::unique_ptr<PressureWait> poll_pressure(const collect::ProcTree& tree, const Trigger& trigger,
                                            std::uint64_t interval_ns, std::string reason,
                                            Clock& clock = system_clock());

}  // namespace physmem::watch
