// SPDX-License-Identifier: MIT
#include "tools/pftraced/feed.h"

#include <algorithm>

namespace physmem::daemon {
namespace {

constexpr unsigned kRoundsBetweenConfigurations = 64;
constexpr int kEnds = 3;

}  // namespace

bool Feed::is_wanted(const pm_paging_record& record) {
  if (record.tgid == own_) {
    ++counts_.own;
    return false;
  }
  const auto is_asked_for = [this](std::uint32_t process) {
    return std::find(config_.processes.begin(), config_.processes.end(), process) !=
           config_.processes.end();
  };
  const bool is_right_kind = config_.all_events || (record.flags & PM_PAGING_IO) != 0;
  const bool is_right_process =
      config_.processes.empty() || is_asked_for(record.tgid) || is_asked_for(record.pid);
  if (is_right_kind && is_right_process) return true;
  ++counts_.filtered;
  return false;
}

void Feed::send(std::size_t size) {
  sender_.send(std::span(bytes_).first(size));
  ++envelope_.number;
  ++counts_.datagrams;
}

void Feed::flush() {
  if (waiting_count_ == 0) return;
  envelope_.lost = counts_.lost;
  send(wire::encode_events(envelope_, std::span(waiting_).first(waiting_count_), bytes_));
  envelope_.events_sent += waiting_count_;
  counts_.events += waiting_count_;
  waiting_count_ = 0;
}

void Feed::add(const pm_paging_record& record) {
  if (record.kind == PM_PAGING_LOST) {
    counts_.lost += record.slot;
    return;
  }
  if (!is_wanted(record)) return;
  waiting_[waiting_count_] = record;
  if (++waiting_count_ == waiting_.size()) flush();
}

void Feed::round(std::span<const pm_paging_record> records) {
  if (rounds_ == 0) {
    envelope_.lost = counts_.lost;
    send(wire::encode_configuration(envelope_, header_, bytes_));
  }
  rounds_ = (rounds_ + 1) % kRoundsBetweenConfigurations;
  for (const pm_paging_record& record : records) add(record);
  flush();
}

void Feed::end(wire::Kind how) {
  envelope_.lost = counts_.lost;
  for (int i = 0; i < kEnds; ++i) send(wire::encode_end(envelope_, how, bytes_));
}

}  // namespace physmem::daemon
