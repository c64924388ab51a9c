// SPDX-License-Identifier: MIT
#include "collector-proc/series.h"

#include <poll.h>

#include <algorithm>
#include <string>

#include "collector-proc/schedule.h"
#include "program/failure.h"
#include "program/signals.h"

namespace physmem::collect {
namespace {

Machine numbered_machine(const Collector& collector, const Taken& taken, const Pace& pace) {
  Machine machine = collector.machine();
  if (pace.sequence || pace.count != 1)
    machine.sequence = pace.sequence.value_or(0) + taken.snapshots;
  machine.lost = pace.lost;
  return machine;
}

Status take_one_or_throw(Collector& collector, const Pace& pace, Output& output, Progress& progress,
                         Taken& taken) {
  const Machine machine = numbered_machine(collector, taken, pace);
  const Result<Losses> losses = collector.snapshot(machine, output, progress);
  if (!losses) return losses.error();
  if (const int error = output.mark_whole(); error != 0) return output_error(output, error);
  taken.losses += *losses;
  ++taken.snapshots;
  return {};
}

/// An exception, such as out of memory, ends the series like an error. The snapshots before it are
/// kept.
Status take_one(Collector& collector, const Pace& pace, Output& output, Progress& progress,
                Taken& taken) {
  return catch_exceptions(
      [&] { return take_one_or_throw(collector, pace, output, progress, taken); });
}

/// Returns false after a signal, or if the reader closed the output.
bool wait_until(std::uint64_t deadline_ns, const Output& output, Progress& progress, Clock& clock) {
  for (;;) {
    const std::uint64_t now = clock.now_ns();
    if (now >= deadline_ns) return !interrupted();
    const std::uint64_t shown_until = progress.waiting(deadline_ns - now);
    pollfd reader{output.reader_fd(), 0, 0};  // no events: errors are always reported
    if (clock.wait_until(std::min(deadline_ns, now + shown_until), {&reader, 1}) == Woken::kSignal)
      return false;
    if (reader.revents != 0) return false;
  }
}

}  // namespace

void take_series(Collector& collector, const Pace& pace, Output& output, Progress& progress,
                 Taken& taken, Clock& clock) {
  Schedule schedule(clock.now_ns(), pace.interval_ns);
  for (;;) {
    progress.begin_snapshot(taken.snapshots + 1, pace.count);
    const std::uint64_t start = clock.now_ns();
    if (const Status status = take_one(collector, pace, output, progress, taken); !status) {
      taken.stopped = status.error();
      break;
    }
    if (taken.snapshots == pace.count) break;
    const std::uint64_t now = clock.now_ns();
    taken.longest_ns = std::max(taken.longest_ns, now - start);
    taken.skipped += schedule.advance(now);
    if (wait_until(schedule.deadline_ns(), output, progress, clock)) continue;
    taken.stopped = silent_error();
    break;
  }
  if (taken.stopped) taken.is_cut = !output.keep_whole();
}

}  // namespace physmem::collect
