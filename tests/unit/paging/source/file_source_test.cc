// SPDX-License-Identifier: MIT
#include "paging/source/file_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "paging/source/event_records.h"
#include "tests/unit/manual_clock.h"
#include "tests/unit/snapshot_text.h"
#include "tests/unit/trace_text.h"

namespace physmem {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// Two events that are 100 ms apart in the trace, and stored in reverse order.
constexpr std::string_view kTwo =
    "H: 1, trace=paging\n"
    "O: 2, 1100000000, 0, -, -, , -, -, -:-, -, io, -\n"
    "O: 1, 1000000000, 0, -, -, , -, -, -:-, -, io, -\n"
    "E: 0, 2, 0\n";

std::unique_ptr<FileSource> played(std::string_view text, double speed,
                                   Clock& clock = system_clock(), bool keep_going = false) {
  return std::make_unique<FileSource>(text_source(text), "t.trace",
                                      FileSource::Options{speed, keep_going}, clock);
}

/// Plays until the end or an error.
std::string run(FileSource& source, PagingSink& sink) {
  for (;;) {
    const auto state = source.pump(sink, 20ms);
    if (!state) return state.error().text;
    if (*state == EventSource::State::kEnd) return "end";
  }
}

TEST(FileSource, PlaysInOrderWithoutDelayAtSpeedZero) {
  ManualClock clock;
  PagingRecorder recorder;
  const auto source = played(kTwo, 0, clock);
  EXPECT_EQ(run(*source, recorder), "end");
  EXPECT_EQ(clock.elapsed(), 0ms);
  ASSERT_THAT(recorder.events, SizeIs(2));
  EXPECT_EQ(recorder.events[0].sequence, 1u);
}

TEST(FileSource, TakesTwiceTheTimeOfTheTraceAtSpeedOneHalf) {
  ManualClock clock;
  PagingRecorder recorder;
  const auto source = played(kTwo, 0.5, clock);
  EXPECT_EQ(run(*source, recorder), "end");
  EXPECT_EQ(clock.elapsed(), 200ms);
  EXPECT_THAT(recorder.events, SizeIs(2));
}

TEST(FileSource, WaitsNoLongerThanTheTimeout) {
  ManualClock clock;
  PagingRecorder recorder;
  const auto source = played(kTwo, 1, clock);
  ASSERT_TRUE(source->pump(recorder, 30ms));
  EXPECT_EQ(clock.elapsed(), 0ms) << "the first event is due immediately";
  ASSERT_TRUE(source->pump(recorder, 30ms));
  EXPECT_EQ(clock.elapsed(), 30ms);
  EXPECT_THAT(recorder.events, SizeIs(1));
}

TEST(FileSource, StopsWhilePaused) {
  ManualClock clock;
  PagingRecorder recorder;
  const auto source = played(kTwo, 1, clock);
  while (recorder.events.empty()) ASSERT_TRUE(source->pump(recorder, 1ms));
  source->set_paused(true);
  while (clock.elapsed() < 300ms) ASSERT_TRUE(source->pump(recorder, 10ms));
  EXPECT_THAT(recorder.events, SizeIs(1));
  source->set_paused(false);
  EXPECT_EQ(run(*source, recorder), "end");
  EXPECT_EQ(clock.elapsed(), 400ms) << "the pause does not count as time of the trace";
  EXPECT_THAT(recorder.events, SizeIs(2));
}

TEST(FileSource, KeepsElapsedTimeWhenItsSpeedChanges) {
  ManualClock clock;
  PagingRecorder recorder;
  const auto source = played(kTwo, 1, clock);
  while (recorder.events.empty()) ASSERT_TRUE(source->pump(recorder, 1ms));
  clock.advance(40ms);
  source->set_speed(0.1);
  EXPECT_EQ(run(*source, recorder), "end");
  EXPECT_EQ(clock.elapsed(), 640ms) << "40 ms of the trace at speed 1, 60 ms at speed 0.1";
}

TEST(FileSource, DeliversTheRestWithoutDelayWhenItsSpeedBecomesZero) {
  ManualClock clock;
  PagingRecorder recorder;
  const auto source = played(kTwo, 0.001, clock);
  while (recorder.events.empty()) ASSERT_TRUE(source->pump(recorder, 1ms));
  source->set_speed(0);
  EXPECT_EQ(run(*source, recorder), "end");
  EXPECT_EQ(clock.elapsed(), 0ms);
}

TEST(FileSource, DeliversTheEventsOfATruncatedFileBeforeTheError) {
  PagingRecorder recorder;
  const auto source = played(kTwo.substr(0, kTwo.find("E:")), 0);
  EXPECT_THAT(run(*source, recorder),
              HasSubstr("t.trace:4:1: the trace ends without its E: record"));
  EXPECT_THAT(recorder.events, SizeIs(2));
  PagingRecorder kept_events;
  const auto going = played(kTwo.substr(0, kTwo.find("E:")), 0, system_clock(), true);
  EXPECT_EQ(run(*going, kept_events), "end");
  EXPECT_TRUE(going->notes().is_truncated);
}

TEST(EventRecords, DeliversRecordsBeforeTheError) {
  EventRecords records(played(kTwo.substr(0, kTwo.find("E:")), 0));
  std::array<pm_paging_record, 1> one;
  for (int i = 0; i < 2; ++i) {
    const auto taken = records.take(one);
    ASSERT_TRUE(taken) << taken.error().text;
    EXPECT_EQ(taken->count, 1u);
    EXPECT_FALSE(taken->has_ended);
  }
  const auto over = records.take(one);
  ASSERT_FALSE(over);
  EXPECT_THAT(over.error().text, HasSubstr("ends without its E: record"));
}

TEST(FileSource, ReportsAMissingFile) {
  const auto source = FileSource::open("/nowhere/t.trace", {});
  ASSERT_FALSE(source);
  EXPECT_THAT(source.error().text, HasSubstr("/nowhere/t.trace: cannot open"));
}

}  // namespace
}  // namespace physmem
