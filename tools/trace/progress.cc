// SPDX-License-Identifier: MIT
#include "tools/trace/progress.h"

#include <string>

namespace physmem::record {

Progress::Progress(bool is_shown)
    : line_(is_shown, std::chrono::milliseconds(500), std::chrono::milliseconds(500)),
      last_(std::chrono::steady_clock::now()) {}

void Progress::show(const EventFilter& events, std::chrono::steady_clock::time_point now) {
  if (!line_.is_due()) return;
  const std::uint64_t count = events.ins() + events.unmoved() + events.outs();
  const double seconds = std::chrono::duration<double>(now - last_).count();
  const auto rate = static_cast<std::uint64_t>(static_cast<double>(count - last_events_) / seconds);
  line_.show(std::to_string(events.ins()) + " swap-ins, " + std::to_string(events.outs()) +
             " swap-outs, " + std::to_string(rate) + " events/s, " + std::to_string(events.lost()) +
             " lost");
  last_ = now;
  last_events_ = count;
}

}  // namespace physmem::record
