// SPDX-License-Identifier: MIT
// Records from a descriptor. A pipe replaces the module's device.
#include "paging/source/local_source.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "paging/source/device_records.h"
#include "paging/source/open_source.h"
#include "tests/unit/manual_clock.h"
#include "tests/unit/paging/source/proc_fixture.h"
#include "tests/unit/trace_text.h"

namespace physmem {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

struct Device {
  Device() {
    proc.write("proc/swaps", "Filename Type Size Used Priority\n/dev/zram0 partition 400 0 -2\n");
    EXPECT_EQ(::pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
    source = std::make_unique<LocalSource>(
        std::make_unique<DeviceRecords>(UniqueFd(ends[0]), "device"), proc.root(), clock);
    EXPECT_TRUE(source->pump(recorder, 0ms));
  }
  ~Device() { close_end(); }
  void close_end() {
    if (ends[1] >= 0) ::close(ends[1]);
    ends[1] = -1;
  }
  void send(std::uint64_t sequence) {
    pm_paging_record record{};
    record.sequence = sequence;
    record.time_ns = clock.now_ns();
    record.address = record.pfn = record.sector = record.service_ns = PM_PAGING_UNKNOWN;
    record.slot = 16;
    record.flags = PM_PAGING_IO;
    record.kind = PM_PAGING_OUT;
    put(record);
  }
  void put(const pm_paging_record& record) {
    EXPECT_EQ(::write(ends[1], &record, sizeof record), static_cast<ssize_t>(sizeof record));
  }
  EventSource::State pump() {
    const auto state = source->pump(recorder, 0ms);
    EXPECT_TRUE(state);
    return state ? *state : EventSource::State::kEnd;
  }
  std::vector<std::uint64_t> numbers() const {
    std::vector<std::uint64_t> all;
    for (const PagingEvent& event : recorder.events) all.push_back(event.sequence);
    return all;
  }

  ManualClock clock;
  ProcFixture proc;
  int ends[2] = {-1, -1};
  PagingRecorder recorder;
  std::unique_ptr<LocalSource> source;
};

TEST(LocalSource, ReportsTheMachineFirst) {
  Device device;
  ASSERT_THAT(device.recorder.headers, SizeIs(1));
  EXPECT_EQ(device.recorder.headers[0].source, "kmod");
  EXPECT_EQ(device.pump(), EventSource::State::kMore);
  EXPECT_THAT(device.recorder.events, SizeIs(0));
}

TEST(LocalSource, SortsAndCompletesEventsOfSeveralProcessors) {
  Device device;
  for (const std::uint64_t sequence : {2, 1, 3}) device.send(sequence);
  EXPECT_EQ(device.pump(), EventSource::State::kMore);
  EXPECT_THAT(device.numbers(), ElementsAre(1, 2, 3));
  EXPECT_EQ(device.recorder.events[0].sector,
            128u * static_cast<unsigned>(sysconf(_SC_PAGESIZE)) / 4096);
  EXPECT_TRUE(device.recorder.events[0].has(PM_PAGING_ZRAM));
  ASSERT_THAT(device.recorder.headers, SizeIs(2));
  EXPECT_THAT(device.recorder.headers[1].swap_areas, SizeIs(1));
  EXPECT_EQ(device.recorder.headers[1].swap_areas[0].kind, SwapAreaKind::kZram);
}

TEST(LocalSource, WaitsForAPredecessorFor50Milliseconds) {
  Device device;
  device.send(1);
  device.send(3);
  device.clock.advance(49ms);
  device.pump();
  EXPECT_THAT(device.numbers(), ElementsAre(1));
  device.clock.advance(2ms);
  device.pump();
  EXPECT_THAT(device.numbers(), ElementsAre(1, 3));
}

TEST(LocalSource, ReportsRecordedLossesAndOtherMissingEvents) {
  Device device;
  pm_paging_record lost{};
  lost.kind = PM_PAGING_LOST;
  lost.time_ns = 5;
  lost.cpu = 1;
  lost.slot = 2;
  device.send(1);
  device.send(7);
  device.put(lost);
  device.pump();
  device.close_end();
  EXPECT_EQ(device.pump(), EventSource::State::kEnd);
  EXPECT_THAT(device.numbers(), ElementsAre(1, 7));
  ASSERT_THAT(device.recorder.losses, SizeIs(2));
  EXPECT_EQ(device.recorder.losses[0], (LostEvents{5, 1, 2}));
  EXPECT_EQ(device.recorder.losses[1].count, 3u);
  EXPECT_EQ(device.recorder.losses[1].cpu, std::nullopt);
}

TEST(LocalSource, DeliversAllPendingEventsOnFinish) {
  Device device;
  device.send(1);
  device.send(3);
  device.pump();
  device.send(4);
  device.source->finish(device.recorder);
  EXPECT_THAT(device.numbers(), ElementsAre(1, 3, 4));
}

TEST(LocalSource, RejectsAPartialRecord) {
  Device device;
  EXPECT_EQ(::write(device.ends[1], "half", 4), 4);
  const auto state = device.source->pump(device.recorder, 0ms);
  ASSERT_FALSE(state);
  EXPECT_THAT(state.error().text, HasSubstr("device: found 4 bytes, expected whole records of 88"));
}

TEST(OpenSource, ReportsTheMissingDeviceAndUnknownSources) {
  const auto source = DeviceRecords::open("/nowhere/physmem_paging");
  ASSERT_FALSE(source);
  EXPECT_EQ(
      source.error().text,
      "/nowhere/physmem_paging: cannot open: No such file or directory (insmod physmem_paging.ko)");
  const auto unknown = open_event_source("ftrace");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, Error::Kind::kUsage);
  EXPECT_THAT(unknown.error().text,
              HasSubstr("--source: found \"ftrace\", expected auto, kmod or bpf"));
}

}  // namespace
}  // namespace physmem
