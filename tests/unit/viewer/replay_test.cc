// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <thread>
#include <vector>

#include "tracer/source/file_source.h"

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

FileSource replay(const char* text, double speed) {
  return {text_source(text), "storm.trace", {speed, false}};
}

TEST(Replay, GivesEventsInOrderWhenTheirTimeComes) {
  FileSource source = replay(kTrace, 1);
  Seen seen;
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(source.pump(seen, 0ms));
  EXPECT_EQ(seen.headers.size(), 1u);
  EXPECT_EQ(seen.events.at(0), 1u);
  EXPECT_LT(seen.events.size(), 4u);
  while (*source.pump(seen, 0ms) == EventSource::State::kMore) std::this_thread::sleep_for(1ms);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 299ms);
  EXPECT_THAT(seen.events, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(seen.lost, 17u);
  EXPECT_EQ(seen.headers[0].swap_areas.at(0).name, "/dev/vda");
}

TEST(Replay, IsFasterOnRequest) {
  FileSource source = replay(kTrace, 100000);
  Seen seen;
  const auto begin = std::chrono::steady_clock::now();
  while (*source.pump(seen, 0ms) == EventSource::State::kMore) std::this_thread::sleep_for(1ms);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 150ms);
  EXPECT_EQ(seen.events.size(), 4u);
}

TEST(Replay, StandsStillWhilePausedAndGoesOnFromThere) {
  FileSource source = replay(kTrace, 1);
  Seen seen;
  ASSERT_TRUE(source.pump(seen, 0ms));
  source.set_paused(true);
  std::this_thread::sleep_for(350ms);
  ASSERT_TRUE(source.pump(seen, 0ms));
  EXPECT_LT(seen.events.size(), 4u);
  source.set_paused(false);
  ASSERT_TRUE(source.pump(seen, 0ms));
  EXPECT_LT(seen.events.size(), 4u) << "the pause was no time of the trace";
  source.set_speed(1e6);
  std::this_thread::sleep_for(2ms);
  EXPECT_EQ(*source.pump(seen, 0ms), EventSource::State::kEnd);
  EXPECT_EQ(seen.events.size(), 4u);
}

TEST(Replay, GivesAllBeforeTheDamageThenTheError) {
  std::string cut(kTrace);
  cut.resize(cut.find("I: 4"));
  FileSource source(text_source(cut), "storm.trace", {1e6, false});
  Seen seen;
  Result<EventSource::State> state = EventSource::State::kMore;
  for (int i = 0; i < 100 && state && *state == EventSource::State::kMore; ++i) {
    state = source.pump(seen, 0ms);
    std::this_thread::sleep_for(1ms);
  }
  ASSERT_FALSE(state);
  EXPECT_THAT(state.error().text, testing::HasSubstr("storm.trace"));
  EXPECT_THAT(seen.events, ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace physmem::view
