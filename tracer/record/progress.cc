// SPDX-License-Identifier: MIT
#include "tracer/record/progress.h"

#include <ostream>

namespace physmem::record {

Progress::~Progress() {
  if (has_line_) to_ << "\r\033[K" << std::flush;
}

void Progress::show(const EventFilter& events, std::chrono::steady_clock::time_point now) {
  constexpr std::chrono::milliseconds kEvery{500};
  if (!is_shown_ || now - last_ < kEvery) return;
  const std::uint64_t count = events.ins() + events.unmoved() + events.outs();
  const double seconds = std::chrono::duration<double>(now - last_).count();
  const auto rate = static_cast<std::uint64_t>(static_cast<double>(count - last_events_) / seconds);
  to_ << '\r' << events.ins() << " swap-ins, " << events.outs() << " swap-outs, "
      << (has_line_ ? rate : 0) << " events/s, " << events.lost() << " lost\033[K" << std::flush;
  has_line_ = true;
  last_ = now;
  last_events_ = count;
}

}  // namespace physmem::record
