// SPDX-License-Identifier: MIT
// Example machine, events, and the datagrams of a daemon that sends them.
#pragma once

#include <cstdint>
#include <vector>

#include "paging/parse/paging_sink.h"
#include "paging/wire/datagram.h"

namespace physmem {

TraceHeader example_header();
/// Event `sequence`: a swap-in if even, otherwise a swap-out. Every field is derived from the
/// number.
PagingEvent example_event(std::uint64_t sequence);

/// Writes datagrams as a daemon does, with correct sums and ascending numbers.
class ExampleSession {
 public:
  explicit ExampleSession(std::uint64_t session) { next_.session = session; }

  using Datagram = std::vector<std::uint8_t>;
  Datagram configuration(const TraceHeader& header = example_header());
  Datagram events(std::size_t count);
  Datagram end(wire::Kind how = wire::Kind::kEnd);
  void lose(std::uint64_t count) { next_.lost += count; }

 private:
  Datagram finished(std::size_t size);

  wire::Envelope next_;
  wire::Bytes bytes_ = {};
};

class RecordingSink : public PagingSink {
 public:
  void on_header(const TraceHeader& header) override { headers.push_back(header); }
  void on_event(const PagingEvent& event) override { events.push_back(event); }
  void on_lost(const LostEvents& lost) override { losses.push_back(lost); }

  std::vector<TraceHeader> headers;
  std::vector<PagingEvent> events;
  std::vector<LostEvents> losses;
};

}  // namespace physmem
