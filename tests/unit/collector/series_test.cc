// SPDX-License-Identifier: MIT
#include "collector-proc/series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <stdexcept>

#include "collector-proc/schedule.h"
#include "program/duration.h"
#include "program/signals.h"
#include "tests/unit/collector/fixture_tree.h"
#include "tests/unit/manual_clock.h"

namespace physmem::collect {
namespace {

using namespace std::chrono_literals;

TEST(Schedule, ComputesDeadlinesFromStartRegardlessOfDelay) {
  Schedule schedule(1000, 100);
  EXPECT_EQ(schedule.deadline_ns(), 1000u);
  EXPECT_EQ(schedule.advance(1099), 0u);
  EXPECT_EQ(schedule.deadline_ns(), 1100u);
  EXPECT_EQ(schedule.advance(1200), 0u);
  EXPECT_EQ(schedule.deadline_ns(), 1200u);
}

TEST(Schedule, SkipsAndCountsMissedDeadlines) {
  Schedule schedule(1000, 100);
  EXPECT_EQ(schedule.advance(1350), 3u);
  EXPECT_EQ(schedule.deadline_ns(), 1400u);
  EXPECT_EQ(schedule.advance(1501), 1u);
  EXPECT_EQ(schedule.deadline_ns(), 1600u);
}

TEST(Duration, IsParsedAndPrintedWithUnit) {
  EXPECT_EQ(parse_duration("5"), 5 * kSecondNs);
  EXPECT_EQ(parse_duration("500ms"), kSecondNs / 2);
  EXPECT_EQ(parse_duration("1m"), 60 * kSecondNs);
  EXPECT_EQ(parse_duration("2h"), 7200 * kSecondNs);
  EXPECT_EQ(parse_duration("0.5s"), kSecondNs / 2);
  EXPECT_EQ(parse_duration("1.25"), kSecondNs / 4 * 5);
  EXPECT_EQ(parse_duration("0.001ms"), 1'000);
  EXPECT_EQ(parse_duration("1000h"), std::nullopt);
  for (const char* const wrong : {".5s", "1.", "1.s", "1.0001s", "0.5 s", "-1s", "1.5.2s"})
    EXPECT_EQ(parse_duration(wrong), std::nullopt) << wrong;
  EXPECT_EQ(duration_text(250 * kMs), "250 ms");
  EXPECT_EQ(duration_text(1349 * kMs), "1.3 s");
  EXPECT_EQ(duration_text(9960 * kMs), "10 s");
  EXPECT_EQ(duration_text(75 * kSecondNs), "75 s");
}

/// Collects a series from a tree with one task.
class Series : public testing::Test {
 protected:
  Series() { tree_.process({.tid = 7, .vsize = 0}); }

  Taken take(const Pace& pace, Output& output) {
    const Result<ProcTree> root = ProcTree::open(tree_.root());
    Collector collector(*root, {.with_areas = false});
    Progress progress(false);
    Taken taken;
    take_series(collector, pace, output, progress, taken, clock_);
    return taken;
  }
  static int snapshots_in(const std::string& text) {
    int n = 0;
    for (std::size_t at = text.find("\nE: "); at != std::string::npos;
         at = text.find("\nE: ", at + 1))
      ++n;
    return n;
  }

  FixtureTree tree_;
  ManualClock clock_;
};

TEST_F(Series, HasRequestedNumberOfSnapshotsAtDeadlines) {
  TextOutput output;
  const Taken taken = take({20 * kMs, 4}, output);
  EXPECT_EQ(clock_.elapsed(), 60ms);
  EXPECT_EQ(clock_.waits(), 3);
  EXPECT_EQ(taken.snapshots, 4u);
  EXPECT_FALSE(taken.stopped);
  EXPECT_EQ(snapshots_in(output.text()), 4);
}

TEST_F(Series, NumbersSnapshotsFromZero) {
  TextOutput output;
  take({20 * kMs, 2}, output);
  EXPECT_THAT(output.text(), testing::AllOf(testing::HasSubstr(", sequence=0\n"),
                                            testing::HasSubstr(", sequence=1\n")));
}

TEST_F(Series, DoesNotNumberSingleSnapshot) {
  TextOutput output;
  take({}, output);
  EXPECT_THAT(output.text(), testing::Not(testing::HasSubstr("sequence=")));
}

TEST_F(Series, NumbersSnapshotsFromGivenSequence) {
  TextOutput output;
  take({20 * kMs, 2, 41, 3}, output);
  EXPECT_THAT(output.text(), testing::AllOf(testing::HasSubstr(", sequence=41\n"),
                                            testing::HasSubstr(", sequence=42\n"),
                                            testing::HasSubstr("collect.lost=3\n")));
}

TEST_F(Series, NumbersSingleSnapshotIfGivenSequence) {
  TextOutput output;
  take({.sequence = 7}, output);
  EXPECT_THAT(output.text(), testing::HasSubstr(", sequence=7\n"));
  EXPECT_THAT(output.text(), testing::Not(testing::HasSubstr("collect.lost")));
}

enum class WhenFull { kReturnsError, kThrows };

/// An output in memory that accepts `room` bytes.
class SmallDisk final : public Output {
 public:
  explicit SmallDisk(std::size_t room, WhenFull when_full = WhenFull::kReturnsError)
      : room_(room), when_full_(when_full) {}
  int write(std::string_view text) override {
    if (when_full_ == WhenFull::kThrows && text.size() > room_) throw std::logic_error("a bug");
    const std::string_view taken = text.substr(0, room_);
    room_ -= taken.size();
    text_.write(taken);
    return taken.size() == text.size() ? 0 : ENOSPC;
  }
  int mark_whole() override { return text_.mark_whole(); }
  bool keep_whole() override { return text_.keep_whole(); }
  int finish() override { return 0; }
  std::string name() const override { return "disk"; }
  const std::string& text() const { return text_.text(); }

 private:
  std::size_t room_;
  WhenFull when_full_;
  TextOutput text_;
};

TEST_F(Series, KeepsCompleteSnapshotsIfDiskIsFull) {
  TextOutput one;
  take({}, one);
  SmallDisk disk(2 * one.text().size() + 200);
  const Taken taken = take({10 * kMs, 5}, disk);
  EXPECT_EQ(taken.snapshots, 2u);
  ASSERT_TRUE(taken.stopped);
  EXPECT_THAT(taken.stopped->text, testing::HasSubstr("disk: No space left on device"));
  EXPECT_EQ(snapshots_in(disk.text()), 2);
  EXPECT_TRUE(disk.text().ends_with("E: 1, 0, 0, 0, 0\n"));
}

/// The exception passes through the emitter, which is C code.
TEST_F(Series, KeepsCompleteSnapshotsIfOutputThrows) {
  TextOutput one;
  take({}, one);
  SmallDisk disk(2 * one.text().size() + 200, WhenFull::kThrows);
  const Taken taken = take({10 * kMs, 5}, disk);
  EXPECT_EQ(taken.snapshots, 2u);
  ASSERT_TRUE(taken.stopped);
  EXPECT_EQ(taken.stopped->kind, Error::Kind::kIo);
  EXPECT_EQ(taken.stopped->text, "cannot go on: a bug");
  EXPECT_EQ(snapshots_in(disk.text()), 2);
}

TEST_F(Series, EndsIfPipeIsClosedDuringWait) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const auto output = stream_output(ends[1], "pipe");
  clock_.at(50ms, [&] { ::close(ends[0]); });
  const Taken taken = take({60 * kSecondNs, 0}, *output);
  EXPECT_EQ(clock_.elapsed(), 50ms);
  EXPECT_EQ(taken.snapshots, 1u);
  EXPECT_TRUE(taken.stopped && taken.stopped->text.empty());
  EXPECT_FALSE(taken.is_cut);
  std::signal(SIGPIPE, before);
}

// Runs in a child process, because the receipt of the signal is never reset.
TEST_F(Series, EndsImmediatelyOnSignalDuringWait) {
  const pid_t child = ::fork();
  if (child == 0) {
    catch_signals();
    TextOutput output;
    clock_.at(50ms, [] { ::raise(SIGTERM); });
    const Taken taken = take({60 * kSecondNs, 0}, output);
    const bool good = taken.snapshots == 1 && taken.stopped && interrupted() &&
                      clock_.elapsed() == 50ms && snapshots_in(output.text()) == 1;
    ::_exit(good ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace physmem::collect
