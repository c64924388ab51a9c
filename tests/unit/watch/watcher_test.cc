// SPDX-License-Identifier: MIT
#include "tools/watch/watcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/unit/collector/fixture_tree.h"
#include "tests/unit/manual_clock.h"
#include "tools/watch/verdict_lines.h"

namespace physmem::watch {
namespace {

using testing::ElementsAre;

/// Samples one second apart, with the given counts of scanned pages. Before each of the first
/// `stalls` samples, tasks stalled for a tenth of the time.
class FakeSource final : public SampleSource {
 public:
  explicit FakeSource(std::vector<std::uint64_t> scanned, std::uint64_t stalls = 0)
      : scanned_(std::move(scanned)), stalls_(stalls) {}
  Status sample(Events& events) override {
    if (next_ == scanned_.size()) return bad_input("no more samples");
    Header header;
    header.time_ns = header.uptime_ns = next_ * 1'000'000'000;
    stalled_us_ += next_ < stalls_ ? 100'000 : 0;
    events.on_header(header);
    const std::uint64_t scanned = scanned_[next_++];
    const Counter counters[] = {{"vm.pgscan_kswapd", scanned},
                                {"vm.pgscan_anon", scanned},
                                {"vm.workingset_refault_anon", 0},
                                {"psi.memory.some_us", stalled_us_}};
    events.on_counters(counters);
    events.on_end({});
    return {};
  }

 private:
  std::vector<std::uint64_t> scanned_;
  std::uint64_t stalls_;
  std::uint64_t stalled_us_ = 0;
  std::uint64_t next_ = 0;
};

/// Reports pressure `times` times, then the deadline.
class FakePressure final : public PressureWait {
 public:
  explicit FakePressure(int times) : left_(times) {}
  Waited wait(std::uint64_t) override {
    return left_-- > 0 ? Waited::kPressure : Waited::kDeadline;
  }
  std::string name() const override { return "a fake"; }

 private:
  int left_;
};

std::string watch(const Plan& plan, std::vector<std::uint64_t> scanned, int pressures,
                  bool is_json = false) {
  FakeSource source(std::move(scanned));
  FakePressure pressure(pressures);
  VerdictLines sink({}, is_json);
  std::ostringstream out;
  ManualClock clock;
  const Status status = Watcher(plan, source, pressure, sink, out, clock).run();
  return out.str() + (status ? "" : status.error().text);
}

TEST(Watcher, SleepsWithoutPressure) {
  EXPECT_EQ(watch({}, {}, 0), "");
}

TEST(Watcher, SamplesUnderPressureAndSleepsAfterReclaim) {
  const Plan plan{.interval_ns = 10 * kMs, .quiet_ns = 25 * kMs};
  EXPECT_THAT(watch(plan,
                    {0, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500,
                     500, 500},
                    1),
              testing::MatchesRegex(
                  "1970-01-01T00:00:01Z system reclaim .level 1, was idle.*500 pages/s scanned.*\n"
                  "1970-01-01T00:00:11Z system idle .*\n"
                  "1970-01-01T00:00:13Z nothing was reclaimed .*\n"));
}

TEST(Watcher, StaysAwakeWhileTasksStallWithoutScanning) {
  FakeSource source({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 4);
  FakePressure pressure(1);
  VerdictLines sink({}, false);
  std::ostringstream out;
  const Plan plan{.interval_ns = 10 * kMs, .quiet_ns = 25 * kMs};
  ManualClock clock;
  ASSERT_TRUE(Watcher(plan, source, pressure, sink, out, clock).run());
  EXPECT_THAT(out.str(), testing::MatchesRegex("1970-01-01T00:00:06Z nothing was reclaimed .*\n"));
}

TEST(Watcher, ComparesNoSamplesAcrossASleep) {
  const Plan plan{.interval_ns = 10 * kMs, .quiet_ns = 0};
  EXPECT_THAT(
      watch(plan, {0, 700}, 2),
      testing::MatchesRegex("1970-01-01T00:00:00Z nothing.*\n1970-01-01T00:00:01Z nothing.*\n"));
}

TEST(Watcher, SamplesWithoutPressureIfAlwaysAwakeUntilItsLimit) {
  const Plan plan{.interval_ns = kMs, .is_always_awake = true, .max_samples = 2};
  const auto json = nlohmann::json::parse(watch(plan, {0, 0, 8, 9, 10}, 0, true));
  EXPECT_EQ(json["time"], "1970-01-01T00:00:02Z");
  EXPECT_EQ(json["to"], "reclaim");
  EXPECT_EQ(json["scanned_per_s"], 8.0);
  EXPECT_TRUE(json["full_percent"].is_null());
}

/// A series of one process of this name with many major faults.
std::string verdicts_on(const std::string& name, VerdictLines& sink) {
  std::ostringstream out;
  for (std::uint64_t i = 0; i < 6; ++i) {
    Header header;
    header.time_ns = header.uptime_ns = i * 1'000'000'000;
    const Counter counters[] = {{"vm.pgscan_kswapd", i * 5000},
                                {"vm.workingset_refault_anon", i * 1000},
                                {"psi.memory.some_us", i * 200'000},
                                {"psi.memory.full_us", i * 200'000}};
    Events& events = sink.events();
    events.on_header(header);
    events.on_counters(counters);
    Task task;
    task.comm = name;
    task.pid = 7;
    task.maj_flt = i * 1000;
    task.identity = TaskIdentity{7, 1, 1, 0};
    events.on_task(std::move(task));
    events.on_end({});
    sink.on_sample(out);
  }
  return out.str();
}

TEST(VerdictLines, EscapeControlCharactersInNames) {
  VerdictLines sink({}, false);
  const std::string text = verdicts_on("\x1B[2Jevil\n", sink);
  EXPECT_THAT(text, testing::HasSubstr("\\033[2Jevil\\012 (7) THRASHING"));
  EXPECT_EQ(text.find('\x1B'), std::string::npos);
}

TEST(VerdictLines, IsolateNamesFromRightToLeftOnATerminal) {
  VerdictLines to_terminal({}, false, false, true), to_pipe({}, false);
  EXPECT_THAT(verdicts_on("\u05d0\u05d1", to_terminal),
              testing::HasSubstr("\u2068\u05d0\u05d1\u2069 (7) THRASHING"));
  EXPECT_THAT(verdicts_on("\u05d0\u05d1", to_pipe),
              testing::HasSubstr(" \u05d0\u05d1 (7) THRASHING"));
}

TEST(Watcher, PrintsALinePerSampleIfAlwaysAwake) {
  const Plan plan{.interval_ns = kMs, .is_always_awake = true, .max_samples = 3};
  FakeSource source({0, 8, 9, 10, 11, 12});
  FakePressure pressure(0);
  VerdictLines sink({}, false, true);
  std::ostringstream out;
  ManualClock clock;
  ASSERT_TRUE(Watcher(plan, source, pressure, sink, out, clock).run());
  EXPECT_THAT(out.str(), testing::MatchesRegex("1970[^\n]*\n1970[^\n]*\n1970[^\n]*\n"));
}

TEST(Watcher, ReportsASampleThatCannotBeTaken) {
  EXPECT_EQ(watch({.interval_ns = kMs, .is_always_awake = true}, {0, 0}, 0), "no more samples");
}

TEST(Watcher, EndsWhenItsOutputIsClosed) {
  FakeSource source({0, 1, 2});
  FakePressure pressure(1);
  VerdictLines sink({}, false);
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  ManualClock clock;
  const Status status = Watcher({.interval_ns = kMs}, source, pressure, sink, out, clock).run();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, Error::Kind::kIo);
  EXPECT_EQ(status.error().text, "");
}

/// The names of tasks and counters in the order of the events.
class Names final : public Events {
 public:
  void on_counters(std::span<const Counter> counters) override {
    for (const Counter& counter : counters) names_.emplace_back(counter.name);
  }
  void on_task(Task&& task) override { names_.push_back(task.comm); }
  void on_end(const SnapshotEnd&) override { names_.emplace_back("end"); }
  std::vector<std::string> names_;
};

TEST(Sampler, GivesTasksAndCountersInEverySample) {
  collect::FixtureTree fixture;
  fixture.process({.tid = 7, .comm = "seven"});
  const auto tree = collect::ProcTree::open(fixture.root());
  Sampler sampler(*tree);
  for (int i = 0; i < 2; ++i) {
    Names names;
    ASSERT_TRUE(sampler.sample(names));
    EXPECT_THAT(names.names_, ElementsAre("mem.MemTotal_kB", "mem.Active_anon_kB", "seven",
                                          "collect.wall_us", "collect.cpu_us", "end"));
  }
  fixture.remove("meminfo");
  Names names;
  EXPECT_EQ(sampler.sample(names).error().kind, Error::Kind::kBadInput);
}

}  // namespace
}  // namespace physmem::watch
