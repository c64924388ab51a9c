// SPDX-License-Identifier: MIT
#include "paging/wire/receiver.h"

#include <algorithm>
#include <utility>

namespace physmem::wire {

bool Receiver::is_over(std::uint64_t session) const {
  const auto end = over_.begin() + static_cast<std::ptrdiff_t>(std::min(over_count_, kRemembered));
  return std::find(over_.begin(), end, session) != end;
}

/// False if the datagram does not begin a session.
bool Receiver::begin(const Datagram& datagram, const Endpoint& from, PagingSink& sink) {
  if (is_over(datagram.envelope.session)) {
    ++counts_.old;
    return false;
  }
  if (!datagram.configuration) {
    ++counts_.early;
    return false;
  }
  if (!server_) server_ = from;
  // A client of the previous session missed the datagrams before this configuration.
  Envelope next = session_ ? Envelope{} : datagram.envelope;
  next.session = datagram.envelope.session;
  if (session_) over_[over_count_++ % kRemembered] = session_->id;
  session_ =
      Session{.id = datagram.envelope.session, .next = next, .header = *datagram.configuration};
  ++counts_.sessions;
  sink.on_header(session_->header);
  return true;
}

/// Detects impossible sums: decreasing ones, or more events than the datagrams in between can hold.
bool Receiver::contradicts(const Envelope& envelope) const {
  const Envelope& next = session_->next;
  if (envelope.lost < next.lost || envelope.events_sent < next.events_sent) return true;
  return !may_hold(envelope.number - next.number, envelope.events_sent - next.events_sent);
}

void Receiver::note_losses(const Datagram& datagram, PagingSink& sink) {
  const Envelope &found = datagram.envelope, &next = session_->next;
  const std::uint64_t here = found.events_sent - next.events_sent, there = found.lost - next.lost;
  counts_.lost_datagrams += found.number - next.number;
  counts_.lost_events += here;
  counts_.lost_by_source += there;
  if (!datagram.events.empty()) session_->time_ns = datagram.events.front().time_ns;
  if (here + there != 0)
    sink.on_lost({.time_ns = session_->time_ns, .cpu = {}, .count = here + there});
}

void Receiver::hand_on(Datagram& datagram, PagingSink& sink) {
  if (datagram.configuration && *datagram.configuration != session_->header) {
    session_->header = std::move(*datagram.configuration);
    sink.on_header(session_->header);
  }
  for (const PagingEvent& event : datagram.events) sink.on_event(event);
  if (!datagram.events.empty()) session_->time_ns = datagram.events.back().time_ns;
  counts_.events += datagram.events.size();
  session_->is_broken = datagram.kind == Kind::kBroken;
  session_->has_ended = datagram.kind == Kind::kEnd || session_->is_broken;
}

void Receiver::take(std::span<const std::uint8_t> bytes, const Endpoint& from, PagingSink& sink) {
  if (server_ && !server_->is_same_host(from)) {
    ++counts_.foreign;
    return;
  }
  Result<Datagram> datagram = decode(bytes);
  if (!datagram) {
    ++counts_.malformed;
    last_flaw_ = datagram.error().text;
    return;
  }
  const Envelope& envelope = datagram->envelope;
  if (!session_ || session_->id != envelope.session) {
    if (!begin(*datagram, from, sink)) return;
  } else if (envelope.number < session_->next.number) {
    ++counts_.old;
    return;
  }
  if (contradicts(envelope)) {
    ++counts_.malformed;
    last_flaw_ = "datagram " + std::to_string(envelope.number) +
                 ": its sums contradict those of the datagrams before";
    return;
  }
  note_losses(*datagram, sink);
  hand_on(*datagram, sink);
  ++counts_.datagrams;
  session_->next = envelope;
  ++session_->next.number;
  session_->next.events_sent += datagram->events.size();
}

}  // namespace physmem::wire
