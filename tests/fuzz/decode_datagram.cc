// SPDX-License-Identifier: MIT
// Any bytes give a whole datagram that is written again unchanged, or an error. Datagrams in any
// order keep a client's totals correct.
#include <algorithm>
#include <cstring>

#include "paging/model/paging_record.h"
#include "paging/wire/receiver.h"
#include "tests/fuzz/check.h"

namespace {

using namespace physmem;

class CountingSink : public PagingSink {
 public:
  void on_header(const TraceHeader&) override { ++headers; }
  void on_event(const PagingEvent&) override { ++events; }
  void on_lost(const LostEvents& loss) override { lost += loss.count; }
  std::uint64_t headers = 0, events = 0, lost = 0;
};

/// A datagram that was read and is written again is the same.
void check_round_trip(const wire::Datagram& datagram) {
  wire::Bytes bytes;
  std::size_t size = 0;
  if (datagram.configuration) {
    size = wire::encode_configuration(datagram.envelope, *datagram.configuration, bytes);
    for (const std::string* text : {&datagram.configuration->arch, &datagram.configuration->kernel,
                                    &datagram.configuration->source})
      if (text->size() > 64) return;  // longer names are truncated
  } else if (!datagram.events.empty()) {
    std::array<pm_paging_record, wire::kMaxEvents> records;
    std::transform(datagram.events.begin(), datagram.events.end(), records.begin(),
                   [](const PagingEvent& event) { return record_of(event); });
    size = wire::encode_events(datagram.envelope, std::span(records).first(datagram.events.size()),
                               bytes);
  } else {
    size = wire::encode_end(datagram.envelope, datagram.kind, bytes);
  }
  const auto again = wire::decode(std::span(bytes).first(size));
  PHYSMEM_CHECK(again);
  if (datagram.configuration) {
    // The space is divided evenly among names, so one that fitted may lose its beginning.
    PHYSMEM_CHECK(again->configuration->swap_areas.size() ==
                  datagram.configuration->swap_areas.size());
    PHYSMEM_CHECK(again->configuration->frames_end == datagram.configuration->frames_end);
  } else {
    PHYSMEM_CHECK(*again == datagram);
  }
}

}  // namespace

/// The input has datagrams of one host, each preceded by its length in two bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wire::Receiver receiver;
  CountingSink sink;
  std::uint64_t pieces = 0;
  const wire::Endpoint from = *wire::Endpoint::parse("192.0.2.1", 1);
  while (size >= 2) {
    const std::size_t length = std::min<std::size_t>(data[0] | data[1] << 8, size - 2);
    const std::span piece(data + 2, length);
    const wire::Receiver::Counts before = receiver.counts();
    const std::uint64_t events = sink.events, headers = sink.headers;
    if (const auto datagram = wire::decode(piece)) check_round_trip(*datagram);
    receiver.take(piece, from, sink);
    ++pieces;
    const wire::Receiver::Counts& after = receiver.counts();
    PHYSMEM_CHECK(after.datagrams + after.old + after.malformed + after.early == pieces);
    if (after.datagrams == before.datagrams)
      PHYSMEM_CHECK(sink.events == events && sink.headers == headers);
    PHYSMEM_CHECK(after.events == sink.events && sink.events - events <= wire::kMaxEvents);
    PHYSMEM_CHECK(after.lost_events + after.lost_by_source == sink.lost);
    PHYSMEM_CHECK((sink.events == 0 && sink.lost == 0) || sink.headers != 0);
    data += 2 + length;
    size -= 2 + length;
  }
  return 0;
}
