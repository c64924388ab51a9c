// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <vector>

#include "paging/source/file_source.h"
#include "tests/unit/manual_clock.h"

namespace physmem::view {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

constexpr const char* kTrace =
    R"(H: 1, trace=paging, arch=x86_64, page_size=4096, kernel=6.1.0, source=kmod, memory_bytes=519045120, frames_end=131040, wall_offset_ns=1763683200000000000
A: 0, partition, 131071, /dev/vda
O: 1, 8100000000, 2, 371, 371, work, 7F10C2A00000, 0001A2B3, 0:00000010, 00000080, io mapped, -
I: 3, 8100200000, 0, 371, 371, work, -, 0001B001, 0:00000011, 00000088, io readahead, -
I: 2, 8100100000, 0, 371, 371, work, 7F10C2A00000, 0001B000, 0:00000010, 00000080, io major, 412000
L: 8101000000, 1, 17
I: 4, 8400000000, 0, 371, 371, work, -, 0001B001, 0:00000011, 00000088, io readahead, -
E: 3, 1, 17
)";

class Seen : public PagingSink {
 public:
  void on_header(const TraceHeader& header) override { headers.push_back(header); }
  void on_event(const PagingEvent& event) override { events.push_back(event.sequence); }
  void on_lost(const LostEvents& l) override { lost += l.count; }

  std::vector<TraceHeader> headers;
  std::vector<std::uint64_t> events;
  std::uint64_t lost = 0;
};

FileSource replay(std::string_view text, double speed, Clock& clock) {
  return {text_source(text), "storm.trace", {speed, false}, clock};
}

/// Pumps the source every millisecond, as the server does, until the end or an error.
Result<EventSource::State> play(FileSource& source, Seen& seen, ManualClock& clock) {
  for (;;) {
    const auto state = source.pump(seen, 0ms);
    if (!state || *state == EventSource::State::kEnd) return state;
    clock.advance(1ms);
  }
}

TEST(Replay, DeliversEventsInOrderAtTheirTime) {
  ManualClock clock;
  FileSource source = replay(kTrace, 1, clock);
  Seen seen;
  ASSERT_TRUE(source.pump(seen, 0ms));
  EXPECT_EQ(seen.headers.size(), 1u);
  EXPECT_THAT(seen.events, ElementsAre(1));
  clock.advance(299ms);
  ASSERT_TRUE(source.pump(seen, 0ms));
  EXPECT_THAT(seen.events, ElementsAre(1, 2, 3));
  clock.advance(1ms);
  EXPECT_EQ(*source.pump(seen, 0ms), EventSource::State::kEnd);
  EXPECT_THAT(seen.events, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(seen.lost, 17u);
  EXPECT_EQ(seen.headers[0].swap_areas.at(0).name, "/dev/vda");
}

TEST(Replay, IsFasterOnRequest) {
  ManualClock clock;
  FileSource source = replay(kTrace, 100'000, clock);
  Seen seen;
  ASSERT_TRUE(play(source, seen, clock));
  EXPECT_EQ(clock.elapsed(), 1ms) << "300 ms of the trace take 3 us";
  EXPECT_EQ(seen.events.size(), 4u);
}

TEST(Replay, StopsWhilePausedAndContinuesFromThere) {
  ManualClock clock;
  FileSource source = replay(kTrace, 1, clock);
  Seen seen;
  ASSERT_TRUE(source.pump(seen, 0ms));
  source.set_paused(true);
  clock.advance(350ms);
  ASSERT_TRUE(source.pump(seen, 0ms));
  EXPECT_THAT(seen.events, ElementsAre(1));
  source.set_paused(false);
  ASSERT_TRUE(source.pump(seen, 0ms));
  EXPECT_THAT(seen.events, ElementsAre(1)) << "the pause does not count as time of the trace";
  source.set_speed(1e6);
  clock.advance(2ms);
  EXPECT_EQ(*source.pump(seen, 0ms), EventSource::State::kEnd);
  EXPECT_EQ(seen.events.size(), 4u);
}

TEST(Replay, DeliversAllEventsBeforeTheError) {
  std::string cut(kTrace);
  cut.resize(cut.find("I: 4"));
  ManualClock clock;
  FileSource source = replay(cut, 1e6, clock);
  Seen seen;
  const auto state = play(source, seen, clock);
  ASSERT_FALSE(state);
  EXPECT_THAT(state.error().text, testing::HasSubstr("storm.trace"));
  EXPECT_THAT(seen.events, ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace physmem::view
