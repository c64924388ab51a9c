// SPDX-License-Identifier: MIT
#include "tools/watch/reclaim_activity.h"

namespace physmem::watch {

void ReclaimActivity::on_header(const Header& header) {
  before_ = has_sample_ ? std::optional(now_) : std::nullopt;
  now_ = {header.time_ns.value_or(0), header.uptime_ns.value_or(0), 0, 0};
  has_sample_ = true;
}

void ReclaimActivity::on_counters(std::span<const Counter> counters) {
  for (const Counter& counter : counters) {
    if (counter.name == "vm.pgscan_anon" || counter.name == "vm.pgscan_file")
      now_.scanned += counter.value;
    if (counter.name == "psi.memory.some_us") now_.stalled_us = counter.value;
  }
}

bool ReclaimActivity::is_going_on() const {
  constexpr double kMinStall = 0.01;
  return before_ && (now_.scanned != before_->scanned || stalled_share() >= kMinStall);
}

double ReclaimActivity::seconds() const {
  return before_ ? static_cast<double>(now_.uptime_ns - before_->uptime_ns) / 1e9 : 0;
}

double ReclaimActivity::scanned_rate() const {
  return seconds() > 0 ? static_cast<double>(now_.scanned - before_->scanned) / seconds() : 0;
}

double ReclaimActivity::stalled_share() const {
  return seconds() > 0
             ? static_cast<double>(now_.stalled_us - before_->stalled_us) / 1e6 / seconds()
             : 0;
}

}  // namespace physmem::watch
