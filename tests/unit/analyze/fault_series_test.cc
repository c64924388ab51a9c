// SPDX-License-Identifier: MIT
#include "analyzer/analyze/time/fault_series.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analyzer/shape/faults_shape.h"
#include "analyzer/shape/series_notes.h"
#include "tests/unit/series_text.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

/// Medians measured in a guest of 512 MiB in which two programs access 800 MiB at random.
const Second kFits{0, 0, 0, {{"a", {0, 900, 2}}, {"b", {0, 900, 2}}}};
const Second kFill{0, 3000, 0.6, {{"a", {0, 700, 13000}}, {"b", {0, 700, 13000}}}};
const Second kThrash{1010, 5984, 0.204, {{"a", {600, 348, 500}}, {"b", {395, 230, 387}}}};
const Second kRecovery{734, 0, 0, {{"b", {644, 296, 194}}}};
const Second kQuiet{0, 0, 0, {{"b", {0, 900, 0}}}};

FaultSeries series(const std::string& text, ThrashLimits limits = {}) {
  FaultSeries series(limits);
  const auto source = text_source(text);
  SnapshotReader reader(*source, "s.txt", {});
  while (true) {
    Census census({&series});
    const auto more = reader.next(census);
    EXPECT_TRUE(more) << (more ? "" : more.error().text);
    if (!more || !*more) return series;
  }
}

/// The events in order, for example "3 s a thrashing", "4 s refaulting".
std::vector<std::string> changes(const FaultSeries& series) {
  std::vector<std::string> texts;
  for (const FaultEvent& event : series.events()) {
    const std::string what =
        event.level ? std::string(name(event.level->to))
                    : event.process->process.name + " " +
                          std::string(event.process->is_gone ? "gone" : name(event.process->to));
    texts.push_back(fmt::format("{:g} s {}", event.at, what));
  }
  return texts;
}

using Texts = std::vector<std::string>;

TEST(FaultSeries, ReportsNoEventIfMemorySuffices) {
  EXPECT_EQ(changes(series(SeriesText().add(kFits, 20).text())), Texts{});
}

TEST(FaultSeries, ReportsFillingMemoryAsReclaimOnly) {
  // All tasks stalled for 0.6 of the time, as when memory first fills up. No page was refaulted.
  EXPECT_EQ(changes(series(SeriesText().add(kFits, 3).add(kFill, 8).text())), Texts{"4 s reclaim"});
}

TEST(FaultSeries, ReportsThrashingAndItsProcessesWithinThreeSeconds) {
  const FaultSeries got = series(SeriesText().add(kFits, 5).add(kThrash, 10).text());
  EXPECT_EQ(changes(got),
            (Texts{"6 s reclaim", "8 s thrashing", "8 s a thrashing", "8 s b thrashing"}));
  EXPECT_TRUE(got.found_thrashing());
  EXPECT_EQ(got.processes().front().name, "a");
  EXPECT_NEAR(got.processes().front().thrashing_seconds, 8, 0.01);
}

TEST(FaultSeries, ReportsSurvivorAsRecoveringAfterCompetitorEnds) {
  const FaultSeries got =
      series(SeriesText().add(kThrash, 10).add(kRecovery, 10).add(kQuiet, 15).text());
  EXPECT_EQ(changes(got), (Texts{"1 s reclaim", "3 s thrashing", "3 s a thrashing",
                                 "3 s b thrashing", "11 s a gone", "13 s recovering",
                                 "13 s b recovering", "24 s idle", "24 s b quiet"}));
}

// A program that starts reads its pages back, although memory was never short.
TEST(FaultSeries, ReportsNoRecoveryFromIdle) {
  EXPECT_EQ(changes(series(SeriesText().add(kFits, 5).add(kRecovery, 10).add(kQuiet, 15).text())),
            Texts{});
}

TEST(FaultSeries, LeavesThrashingAfterTenSecondsBelowHalfTheLimits) {
  const Second calm{10, 10, 0, {{"a", {2, 900, 0}}, {"b", {2, 900, 0}}}};
  const FaultSeries got = series(SeriesText().add(kThrash, 5).add(calm, 15).text());
  EXPECT_EQ(changes(got),
            (Texts{"1 s reclaim", "3 s thrashing", "3 s a thrashing", "3 s b thrashing",
                   "15 s reclaim", "15 s a quiet", "15 s b quiet"}));
  EXPECT_THAT(event_sentence(got.events().back(), got.limits()),
              testing::EndsWith("2 major faults/s; less than half of the limits for 10 s"));
}

TEST(FaultSeries, SaysThatNothingIsReclaimedIfThrashingIsOverSooner) {
  const Second over{0, 0, 0, {{"a", {0, 900, 0}}, {"b", {0, 900, 0}}}};
  const FaultSeries got = series(SeriesText().add(kThrash, 5).add(over, 15).text());
  const auto texts = changes(got);
  const auto quiet = std::find(texts.begin(), texts.end(), "9 s b quiet");
  ASSERT_NE(quiet, texts.end());
  EXPECT_THAT(event_sentence(got.events()[quiet - texts.begin()], got.limits()),
              testing::EndsWith("0 major faults/s; nothing is reclaimed any more"));
}

TEST(FaultSeries, DoesNotWarnOfMinorFaults) {
  const Second start{0, 0, 0, {{"a", {0, 500, 46879}}}};
  EXPECT_EQ(changes(series(SeriesText().add(start, 10).text())), Texts{});
}

TEST(FaultSeries, DoesNotWarnOfProgramReadFromDiskForFirstTime) {
  const Second cold{0, 0, 0.3, {{"a", {800, 100, 3000}}}};
  EXPECT_EQ(changes(series(SeriesText().add(cold, 10).text())), Texts{});
}

TEST(FaultSeries, WarnsOfProcessThatProgressesBetweenFaults) {
  const Second slow{150, 300, 0.01, {{"a", {30, 150, 40}}}};
  EXPECT_EQ(changes(series(SeriesText().add(slow, 6).text())),
            (Texts{"1 s reclaim", "3 s refaulting", "3 s a warned"}));
}

TEST(FaultSeries, ReportsSevereAfterAllTasksStallForTenSeconds) {
  Second severe = kThrash;
  severe.full = 0.5;
  const auto got = changes(series(SeriesText().add(severe, 12).text()));
  ASSERT_EQ(got.size(), 5u);
  EXPECT_EQ(got.back(), "10 s severe");
}

TEST(FaultSeries, ReportsCriticalAfterNothingRunsForThirtySeconds) {
  Second critical = kThrash;
  critical.full = 0.9;
  EXPECT_EQ(changes(series(SeriesText().add(critical, 31).text())).back(), "30 s critical");
}

TEST(FaultSeries, DerivesLimitsFromGivenServiceTime) {
  // 5 ms of CPU time per fault: sufficient if a fault takes 0.2 ms, thrashing if it takes 8 ms.
  const Second working{500, 1000, 0.01, {{"a", {100, 500, 120}}}};
  const std::string text = SeriesText().add(working, 6).text();
  EXPECT_FALSE(series(text, ThrashLimits::of_service_time(0.2)).found_thrashing());
  EXPECT_TRUE(series(text, ThrashLimits::of_service_time(8)).found_thrashing());
}

TEST(FaultSeries, JudgesByProcessesAloneIfRefaultConditionIsUnknown) {
  const FaultSeries got = series(SeriesText(1, false).add(kThrash, 5).text());
  EXPECT_EQ(changes(got), (Texts{"3 s thrashing", "3 s a thrashing", "3 s b thrashing"}));
  EXPECT_THAT(event_sentence(got.events()[1], got.limits()),
              testing::EndsWith("; confidence low: refault condition unknown"));
}

TEST(FaultSeries, ReportsThrashingAfterOneLongWindow) {
  EXPECT_EQ(changes(series(SeriesText(5).add(kThrash, 2).text())),
            (Texts{"5 s thrashing", "5 s a thrashing", "5 s b thrashing"}));
}

TEST(FaultSeries, SumsFaultsBetweenFirstAndLastSnapshot) {
  const FaultSeries got = series(SeriesText().add(kThrash, 4).text());
  const auto processes = got.processes();
  ASSERT_EQ(processes.size(), 2u);
  EXPECT_EQ(processes[0].majors, 2400u);
  EXPECT_EQ(processes[0].minors, 2000u);
  EXPECT_NEAR(*processes[0].lifetime_ms(), 0.58, 0.001);
  EXPECT_NEAR(processes[0].peak_rate, 600, 0.1);
}

TEST(FaultSeries, IgnoresPidThatBelongsToTwoProcesses) {
  std::string text = SeriesText().add(kThrash, 1).text();
  const std::size_t second = text.rfind(", 101, 100000,");
  ASSERT_NE(second, std::string::npos);
  const FaultSeries got = series(text.replace(second, 14, ", 101, 100500,"));
  ASSERT_EQ(got.processes().size(), 1u);
  EXPECT_EQ(got.processes()[0].name, "b");
}

TEST(FaultSeries, DoesNotCompareAcrossReboot) {
  const std::string text = SeriesText().add(kThrash, 3).text();
  const FaultSeries got = series(text + text);
  EXPECT_EQ(got.order().breaks(), 1u);
  EXPECT_EQ(got.windows().size(), 6u);
  EXPECT_THAT(faults_summary(got), testing::StartsWith("8 snapshots in 6.0 s"));
}

/// The same series ten minutes later, after a reboot.
std::string second_boot(std::string text) {
  for (std::size_t at = 0; (at = text.find("time_ns=17636842", at)) != std::string::npos; ++at)
    text.replace(at, 16, "time_ns=17636848");
  return text;
}

TEST(FaultSeries, PlacesWindowsAfterRebootByClock) {
  const std::string text = SeriesText().add(kThrash, 3).text();
  const FaultSeries got = series(text + second_boot(text));
  ASSERT_EQ(got.windows().size(), 6u);
  // The first snapshots of the two boots are 600 s apart.
  EXPECT_NEAR(got.windows()[3].begin, 600, 0.01);
  EXPECT_NEAR(got.windows()[5].end, 603, 0.01);
  // Processes of two boots may have the same id and start time.
  EXPECT_EQ(got.processes().size(), 4u);
}

TEST(FaultSeries, SkipsSnapshotsOfAnotherHost) {
  const auto of_host = [](std::string text, const std::string& host) {
    for (std::size_t at = 0; (at = text.find("pfn=shown\n", at)) != std::string::npos; at += 20)
      text.replace(at, 9, "pfn=shown, host=" + host);
    return text;
  };
  const std::string here = of_host(SeriesText().add(kFits, 6).text(), "here");
  const std::string there = of_host(SeriesText().add(kThrash, 6).text(), "there");
  std::string mixed;
  for (std::size_t a = 0, b = 0; a < here.size();) {
    const std::size_t end_a = std::min(here.find("H: ", a + 1), here.size());
    const std::size_t end_b = std::min(there.find("H: ", b + 1), there.size());
    mixed += here.substr(a, end_a - a) + there.substr(b, end_b - b);
    a = end_a;
    b = end_b;
  }
  const FaultSeries got = series(mixed);
  EXPECT_EQ(got.order().left_out(), 7u);
  EXPECT_EQ(faults_text(got), faults_text(series(here)));
  EXPECT_THAT(series_notes(got.order()),
              testing::ElementsAre("7 snapshots of another machine (there) than the first (here) "
                                   "left out: analyze one machine at a time"));
}

TEST(FaultSeries, LimitsStallShareToOne) {
  Second second = kThrash;
  second.full = 1.2;
  const FaultSeries faults = series(SeriesText().add(second, 3).text());
  for (const FaultWindowRow& row : faults.windows()) EXPECT_EQ(row.system.full, 1.0);
}

TEST(FaultSeries, DoesNotCompareAcrossMachines) {
  const std::string here = SeriesText().add(kThrash, 3).text();
  std::string there = SeriesText().add(kFits, 3000).add(kThrash, 1).text();
  there = there.substr(there.rfind("H: "));
  const FaultSeries got = series(here + with(there, "kernel=6.1.0", "kernel=6.12.0"));
  EXPECT_EQ(got.order().breaks(), 1u);
  EXPECT_EQ(series(here + there).order().breaks(), 0u);
}

TEST(FaultSeries, ReportsThrashingWithoutPsi) {
  std::string text = SeriesText().add(kThrash, 6).text();
  for (std::size_t at = 0; (at = text.find("psi.memory", at)) != std::string::npos;)
    text.replace(at, 3, "old");
  const FaultSeries got = series(text);
  EXPECT_THAT(changes(got), testing::Contains("3 s thrashing"));
  EXPECT_THAT(event_sentence(got.events()[1], got.limits()),
              testing::HasSubstr("stalls are not known (no PSI)"));
}

TEST(FaultSeries, ReportsManySmallProcessesIfSystemThrashes) {
  Second many{2000, 9000, 0.3, {}};
  for (int i = 0; i < 50; ++i) many.processes["p" + std::to_string(i)] = {40, 10, 0};
  const auto processes = series(SeriesText().add(many, 10).text()).processes();
  for (const ProcessFaults& process : processes)
    EXPECT_EQ(process.worst, FaultState::kThrashing) << process.name;
}

TEST(FaultSeries, ReportsThrashingInControlGroupWithoutGlobalScan) {
  Second group = kThrash;
  group.scanned = 0;
  group.full = 0.03;
  group.group_scanned = 5000;
  const FaultSeries got = series(SeriesText().add(group, 6).text());
  EXPECT_THAT(changes(got), testing::Contains("3 s thrashing"));
  EXPECT_THAT(event_sentence(got.events()[1], got.limits()),
              testing::HasSubstr("for limits of cgroups (most major faults in /g)"));
}

// A recording without the counter: the length of the LRU lists does not change.
TEST(FaultSeries, ReportsThrashingInControlGroupOfAnOldSeries) {
  Second group = kThrash;
  group.scanned = 0;
  group.full = 0.03;
  group.is_evicting = true;
  EXPECT_THAT(changes(series(SeriesText().add(group, 6).text())),
              testing::Contains("3 s thrashing"));
}

// Pages that are scanned for huge pages are not for the limit of a group.
TEST(FaultSeries, ReportsNoControlGroupForOtherScans) {
  std::string text = SeriesText().add(Second{734, 0, 0, kFits.processes, 5000}, 6).text();
  for (std::size_t at = 0; (at = text.find("vm.pgscan_anon", at)) != std::string::npos; ++at) {
    const std::size_t value = at + 15;
    const std::string number = text.substr(value, text.find(',', value) - value);
    text.insert(at, "vm.pgscan_khugepaged=" + number + ", ");
    at += 40;
  }
  EXPECT_EQ(changes(series(text)), Texts{});
}

/// All tasks of a cgroup wait, but not for pages: nothing is scanned or read back.
const Second kHeldBack{0, 0, 0.97, {{"grow", {0, 30, 2}}}};

TEST(FaultSeries, ReportsAGroupHeldBackByItsHighLimitWithinSeconds) {
  Second held = kHeldBack;
  held.held_back = 13;
  held.group_scanned = 40;  // what little it has
  Second free = kQuiet;
  free.held_back = 0;
  free.processes = held.processes;
  const FaultSeries got = series(SeriesText().add(held, 40).add(free, 10).text());
  EXPECT_EQ(changes(got), (Texts{"1 s reclaim", "3 s held back", "44 s reclaim", "50 s idle"}));
  EXPECT_FALSE(got.found_thrashing());
  EXPECT_THAT(event_sentence(got.events()[1], got.limits()),
              testing::HasSubstr("tasks of cgroup /g are held back by memory.high; nothing"));
  EXPECT_THAT(faults_summary(got),
              testing::EndsWith("no thrashing, but tasks of cgroup /g were held back for 41.0 s"));
}

TEST(FaultWords, SayThatALevelIsOverBeforeItIsLeft) {
  FaultEvent event;
  const auto meaning_of = [&event](Level level) {
    event.level = LevelChange{level, level};
    return level_text(event).meaning;
  };
  event.refault_condition = RefaultCondition::kFalse;
  event.system.scanned = event.system.group_scanned = event.system.refaults = 0;
  event.system.full = event.system.some = 0.2;
  EXPECT_NE(meaning_of(Level::kHeldBack), "it was until a moment ago");
  EXPECT_NE(meaning_of(Level::kCritical), "it was until a moment ago");
  EXPECT_EQ(meaning_of(Level::kRecovering), "it was until a moment ago");
  event.system.full = event.system.some = 0;
  EXPECT_EQ(meaning_of(Level::kHeldBack), "it was until a moment ago");
  EXPECT_EQ(meaning_of(Level::kCritical), "it was until a moment ago");
  event.system.refaults = 5;
  EXPECT_NE(meaning_of(Level::kRecovering), "it was until a moment ago");
}

TEST(FaultSeries, ReportsTasksHeldBackWithoutCountersOfGroups) {
  const FaultSeries got = series(SeriesText().add(kHeldBack, 40).text());
  EXPECT_EQ(changes(got), (Texts{"3 s held back"}));
}

// The same stalls while less than a tenth of memory is available.
TEST(FaultSeries, ReportsCriticalIfLittleMemoryIsAvailable) {
  Second full = kHeldBack;
  full.available = 0.05;
  EXPECT_EQ(changes(series(SeriesText().add(full, 31).text())), (Texts{"30 s critical"}));
}

TEST(FaultSeries, LeavesThrashingFourSecondsAfterItsEnd) {
  Second over = kQuiet;
  over.processes = kFits.processes;
  const FaultSeries got = series(SeriesText().add(kThrash, 10).add(over, 12).text());
  EXPECT_EQ(changes(got),
            (Texts{"1 s reclaim", "3 s thrashing", "3 s a thrashing", "3 s b thrashing",
                   "14 s reclaim", "14 s a quiet", "14 s b quiet", "20 s idle"}));
}

// While nothing stalls, the counters of a group are not repeated. They go with its last process.
TEST(FaultSampler, KeepsTheGroupsOfItsProcesses) {
  FaultSampler sampler;
  const auto end = [&](const char* group, bool is_read) {
    sampler.on_header({});
    const Counter counters[] = {{"group.some_us", 70}};
    if (is_read) sampler.on_counters(counters);
    Task task;
    task.pid = 7;
    task.group = TaskGroup{0, 0, 0, 0, group};
    sampler.on_task(task);
    sampler.on_end();
    return sampler.sample().groups.size();
  };
  EXPECT_EQ(end("/a", true), 1u);
  EXPECT_EQ(end("/a", false), 1u);
  EXPECT_EQ(end("/b", true), 1u) << "/a has ended";
  EXPECT_EQ(end("/c", false), 0u);
}

TEST(FaultSeries, ReadsVersion1WithoutTimes) {
  const std::string old = "T: init    , 1, c018c0a0, 0, 100, 10, 0, 0, 50, 50\n";
  const std::string now = "T: init    , 1, c018c0a0, 0, 300, 210, 0, 0, 55, 54\n";
  FaultSeries got;
  fold(old, {&got});
  fold(now, {&got});
  ASSERT_EQ(got.processes().size(), 1u);
  EXPECT_EQ(got.processes()[0].majors, 200u);
  EXPECT_NEAR(*got.processes()[0].lifetime_ms(), 0.45, 1e-9);
  EXPECT_FALSE(got.has_times());
}

}  // namespace
}  // namespace physmem
