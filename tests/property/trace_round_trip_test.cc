// SPDX-License-Identifier: MIT
// Conversion between the text and the binary form of a trace preserves any content.
#include <gtest/gtest.h>
#include <algorithm>

#include <random>

#include "analyzer/model/units.h"
#include "paging/model/paging_record.h"
#include "tests/property/random_snapshot.h"
#include "tests/unit/snapshot_text.h"
#include "tests/unit/trace_text.h"

namespace physmem {
namespace {

constexpr std::uint64_t kTraceRoundTrips = 200;

/// Generates usual values, and values at the limits of each field.
class RandomTrace {
 public:
  explicit RandomTrace(std::uint64_t seed) : random_(seed) {}

  TraceHeader header() {
    TraceHeader header;
    header.arch = name(12);
    header.kernel = name(30);
    header.source = name(5);
    header.page_size = 1024u << below(7);
    header.memory_bytes = number();
    header.frames_end = std::min(number(), kMaxFrames);
    header.wall_offset_ns = static_cast<std::int64_t>(number());
    header.swap_areas = areas();
    return header;
  }

  /// Ordered by type, as readers return them.
  std::vector<SwapArea> areas() {
    std::vector<SwapArea> areas;
    for (std::uint8_t type = 0; type < 6; ++type)
      if (below(3) == 0)
        areas.push_back({type, static_cast<SwapAreaKind>(below(3)), number(), name(20)});
    return areas;
  }

  PagingEvent event() {
    if (below(3) == 0) process_ = {id(), id(), name(15)};
    PagingEvent event;
    event.sequence = sequence_ += below(20) == 0 ? number() : 1;
    event.time_ns = time_ += below(20) == 0 ? number() : below(100'000);
    event.kind = below(2) == 0 ? PagingKind::kIn : PagingKind::kOut;
    event.flags = static_cast<std::uint32_t>(below(3) == 0 ? below(1u << 13) : 1);
    event.cpu = static_cast<std::uint16_t>(below(10) == 0 ? below(65536) : below(4));
    event.pid = process_.pid;
    event.tgid = process_.tgid;
    event.comm = process_.comm;
    event.address = known(0x7F0000000000 + below(1000) * 4096);
    event.pfn = known(below(1 << 20));
    if (below(8) != 0)
      event.swap_type = static_cast<std::uint8_t>(below(20) == 0 ? below(255) : below(2));
    event.slot = known(below(1 << 20));
    if (event.slot) event.sector = known(*event.slot * 8 + (below(4) == 0 ? number() : 0));
    event.service_ns = known(below(1'000'000));
    return event;
  }

  LostEvents lost() {
    LostEvents lost{time_ += below(1000), {}, below(1000)};
    if (below(2) == 0) lost.cpu = static_cast<std::uint16_t>(below(65535));
    return lost;
  }

  std::uint64_t below(std::uint64_t end) { return random_() % end; }

 private:
  struct Process {
    std::optional<std::uint32_t> pid = {};
    std::optional<std::uint32_t> tgid = {};
    std::string comm = {};
  };

  /// A number of any length, never the one that means "not known".
  std::uint64_t number() { return (random_() >> below(64)) & ~std::uint64_t{1}; }
  std::optional<std::uint32_t> id() {
    if (below(6) == 0) return {};
    return static_cast<std::uint32_t>(1 + below(below(10) == 0 ? UINT32_MAX : 50));
  }
  std::optional<std::uint64_t> known(std::uint64_t usual) {
    if (below(8) == 0) return {};
    return below(8) == 0 ? number() : usual;
  }
  std::string name(std::size_t max_length) {
    std::string text;
    for (std::size_t n = below(max_length + 1); n > 0; --n)
      text += static_cast<char>(below(4) == 0 ? 1 + below(255) : 'a' + below(26));
    return text;
  }

  std::mt19937_64 random_;
  Process process_;
  std::uint64_t sequence_ = 0;
  std::uint64_t time_ = 0;
};

/// Passes the same trace to several sinks, so that their results can be compared.
void play(std::uint64_t seed, std::vector<PagingSink*> sinks) {
  RandomTrace random(seed);
  TraceHeader header = random.header();
  for (PagingSink* sink : sinks) sink->on_header(header);
  for (std::uint64_t n = random.below(300); n > 0; --n) {
    const std::uint64_t what = random.below(40);
    if (what == 0) {
      // A reader reports the change together with the next event.
      header.swap_areas = random.areas();
      for (PagingSink* sink : sinks) sink->on_header(header);
    } else if (what == 1) {
      const LostEvents lost = random.lost();
      for (PagingSink* sink : sinks) sink->on_lost(lost);
    } else {
      const PagingEvent event = random.event();
      for (PagingSink* sink : sinks) sink->on_event(event);
    }
  }
}

struct WrittenTrace {
  std::string text;
  std::string binary;
  PagingRecorder recorded;
};

WrittenTrace write_trace(std::uint64_t seed) {
  WrittenTrace result;
  std::ostringstream text;
  std::ostringstream binary;
  const auto text_writer = text_trace_writer(text);
  const auto binary_writer = binary_trace_writer(binary);
  play(seed, {text_writer.get(), binary_writer.get(), &result.recorded});
  text_writer->end();
  binary_writer->end();
  result.text = text.str();
  result.binary = binary.str();
  return result;
}

class TraceRoundTrip : public testing::Test {
 protected:
  template <class Check>
  void for_many(Check check) {
    for (std::uint64_t seed = first_seed(); seed < first_seed() + kTraceRoundTrips && !HasFailure();
         ++seed) {
      SCOPED_TRACE("PHYSMEM_PROPERTY_SEED=" + std::to_string(seed));
      check(seed, write_trace(seed));
    }
  }
};

TEST_F(TraceRoundTrip, PreservesEventsInText) {
  for_many([](std::uint64_t seed, const WrittenTrace& trace) {
    PiecewiseSource source(trace.text, 1 + seed % 300);
    const TraceReading reading = read_trace_from(source);
    EXPECT_EQ(reading.error, "");
    EXPECT_EQ(reading.recorded.events, trace.recorded.events);
    EXPECT_EQ(reading.recorded.losses, trace.recorded.losses);
    TraceHeader first = reading.recorded.headers.front();
    // The swap areas may change before the first event.
    first.swap_areas = trace.recorded.headers.front().swap_areas;
    EXPECT_EQ(first, trace.recorded.headers.front());
    EXPECT_EQ(reading.recorded.headers.back().swap_areas, trace.recorded.headers.back().swap_areas);
  });
}

TEST_F(TraceRoundTrip, PreservesEventsInBinaryForm) {
  for_many([](std::uint64_t seed, const WrittenTrace& trace) {
    PiecewiseSource source(trace.binary, 1 + seed % 300);
    const TraceReading reading = read_trace_from(source);
    EXPECT_EQ(reading.error, "");
    EXPECT_EQ(reading.recorded.events, trace.recorded.events);
    EXPECT_EQ(reading.recorded.losses, trace.recorded.losses);
  });
}

TEST_F(TraceRoundTrip, PreservesTheTextThroughTheBinaryForm) {
  for_many([](std::uint64_t, const WrittenTrace& trace) {
    EXPECT_EQ(as_text(trace.text), trace.text);
    EXPECT_EQ(as_text(as_binary(trace.text)), trace.text);
    EXPECT_EQ(as_text(trace.binary), trace.text);
  });
}

TEST_F(TraceRoundTrip, PreservesEventsInRecords) {
  for_many([](std::uint64_t, const WrittenTrace& trace) {
    for (const PagingEvent& event : trace.recorded.events)
      EXPECT_EQ(event_of(record_of(event)), event);
    for (const LostEvents& lost : trace.recorded.losses) EXPECT_EQ(lost_of(record_of(lost)), lost);
  });
}

TEST_F(TraceRoundTrip, KeepsAtLeastAsManyEventsWhenReadPastAChangedByte) {
  for_many([](std::uint64_t seed, const WrittenTrace& trace) {
    std::string damaged = trace.binary;
    damaged[seed * 7919 % damaged.size()] ^= static_cast<char>(1 << seed % 8);
    const TraceReading whole = read_trace(damaged);
    const TraceReading kept = read_trace(damaged, true);
    if (whole.error.empty()) {
      EXPECT_EQ(kept.recorded.events, whole.recorded.events);
    }
    EXPECT_GE(kept.recorded.events.size(), whole.recorded.events.size());
  });
}

}  // namespace
}  // namespace physmem
