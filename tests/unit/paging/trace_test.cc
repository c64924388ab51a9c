// SPDX-License-Identifier: MIT
// The text form of a paging trace: its contents, and the messages about malformed traces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/snapshot_text.h"
#include "tests/unit/trace_text.h"

namespace physmem {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(TraceText, ReadsTheExampleOfTheSpecification) {
  const TraceReading reading = read_trace(kTrace);
  EXPECT_EQ(reading.error, "");
  ASSERT_THAT(reading.recorded.headers, SizeIs(1));
  const TraceHeader& header = reading.recorded.headers[0];
  EXPECT_EQ(header.arch, "x86_64");
  EXPECT_EQ(header.source, "kmod");
  EXPECT_EQ(header.memory_bytes, 519'045'120u);
  EXPECT_EQ(header.frames_end, 131'040u);
  EXPECT_EQ(header.wall_offset_ns, 1'763'683'200'000'000'000);
  EXPECT_THAT(header.swap_areas,
              ElementsAre(SwapArea{0, SwapAreaKind::kPartition, 131'071, "/dev/vda"}));

  ASSERT_THAT(reading.recorded.events, SizeIs(3));
  const PagingEvent& in = reading.recorded.events[1];
  EXPECT_EQ(in.kind, PagingKind::kIn);
  EXPECT_EQ(in.sequence, 2u);
  EXPECT_EQ(in.time_ns, 8'101'200'300u);
  EXPECT_EQ(in.cpu, 0u);
  EXPECT_EQ(in.pid, 371u);
  EXPECT_EQ(in.comm, "work");
  EXPECT_EQ(in.address, 0x7F10C2A00000u);
  EXPECT_EQ(in.pfn, 0x1B000u);
  EXPECT_EQ(in.swap_type, 0u);
  EXPECT_EQ(in.slot, 0x10u);
  EXPECT_EQ(in.sector, 0x80u);
  EXPECT_EQ(in.flags, unsigned{PM_PAGING_IO | PM_PAGING_MAJOR});
  EXPECT_EQ(in.service_ns, 412'000u);
  EXPECT_EQ(reading.recorded.events[2].address, std::nullopt);
  EXPECT_EQ(reading.recorded.events[0].service_ns, std::nullopt);
  EXPECT_THAT(reading.recorded.losses, ElementsAre(LostEvents{8'102'000'000, 1, 17}));
}

TEST(TraceText, GivesTheSameEventsFromSmallReads) {
  PiecewiseSource pieces(kTrace, 3);
  EXPECT_EQ(read_trace_from(pieces).recorded.events, read_trace(kTrace).recorded.events);
}

TEST(TraceText, ReportsAddedAndRemovedSwapAreas) {
  const TraceReading reading = read_trace(with(
      kTrace, "L: ",
      "A: 0, gone, 131071, /dev/vda\nA: 3, zram, 10, /dev/zram0\nA: 1, file, 5, /a\\054b\nL: "));
  EXPECT_EQ(reading.error, "");
  ASSERT_THAT(reading.recorded.headers, SizeIs(2));
  EXPECT_THAT(reading.recorded.headers[1].swap_areas,
              ElementsAre(SwapArea{1, SwapAreaKind::kFile, 5, "/a,b"},
                          SwapArea{3, SwapAreaKind::kZram, 10, "/dev/zram0"}));
}

TEST(TraceText, ReportsTheHeaderOfATraceWithoutEvents) {
  const TraceReading reading = read_trace("H: 1, trace=paging\nE: 0, 0, 0\n");
  EXPECT_EQ(reading.error, "");
  EXPECT_THAT(reading.recorded.headers, SizeIs(1));
}

TEST(TraceText, ReadsADashAsUnknown) {
  const TraceReading reading = read_trace(
      "H: 1, trace=paging\nO: 3, 0, -, -, -, , -, -, -:-, -, -, -\nL: 1, -, 2\nE: 0, 1, 2\n");
  ASSERT_EQ(reading.error, "");
  PagingEvent nothing;
  nothing.sequence = 3;
  nothing.kind = PagingKind::kOut;
  nothing.cpu = PM_PAGING_NO_CPU;
  EXPECT_THAT(reading.recorded.events, ElementsAre(nothing));
  EXPECT_THAT(reading.recorded.losses, ElementsAre(LostEvents{1, std::nullopt, 2}));
}

TEST(TraceText, SkipsRecordsAndFieldsOfLaterVersions) {
  const TraceReading reading = read_trace(
      "H: 1, trace=paging, weather=fine\nQ: 1, 2\nI: 1, 1, 0, 7, 7, a, -, -, -:-, -, io, -, 9, "
      "new\nE: 1, 0, "
      "0, 5\n");
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.notes.unknown_records, 1u);
  EXPECT_FALSE(reading.notes.data_is_missing());
  EXPECT_THAT(reading.recorded.events, SizeIs(1));
}

struct Bad {
  const char* from;
  const char* to;
  const char* message;
};

class BadTrace : public ::testing::TestWithParam<Bad> {};

TEST_P(BadTrace, IsRejectedWithLineAndColumn) {
  EXPECT_THAT(read_trace(with(kTrace, GetParam().from, GetParam().to)).error,
              HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    TraceText, BadTrace,
    ::testing::Values(
        Bad{"H: 1,", "H: 2,", "t.trace:1:4: H: form of the trace: expected 1"},
        Bad{"trace=paging", "trace=faults", "t.trace:1:7: H: found \"trace=faults\""},
        Bad{"page_size=4096", "page_size=4095", "t.trace:1:34: H: found \"page_size=4095\""},
        Bad{"frames_end=131040", "frames_end=4503599627370497",
            "H: found \"frames_end=4503599627370497\""},
        Bad{", arch=", ", arch, x=", "expected key=value"},
        Bad{"A: 0, partition", "A: 0, drum",
            "t.trace:2:7: A: kind: found \"drum\", expected partition, file"},
        Bad{"A: 0", "A: 255", "t.trace:2:4: A: type of the swap area"},
        Bad{"O: 1, 81", "O: x, 81", "t.trace:3:4: O: sequence number: found \"x\""},
        Bad{"371, 371, work", "0, 371, work", "t.trace:3:22: O: pid: expected a number from 1"},
        Bad{"371, 371, work", "371, 4294967296, work", "O: tgid: expected a number from 1"},
        Bad{"300, 2, 371", "300, 65535, 371", "O: CPU: expected a number below 65535"},
        Bad{"work", "a-name-of-16-bytes", "O: name: expected at most 15 bytes"},
        Bad{"work", "a\\000b", "O: name: expected at most 15 bytes, none of them 0"},
        Bad{"0:00000010", "00000010", "O: slot: found \"00000010\", expected type:slot"},
        Bad{"0:00000010", "255:00000010", "O: slot: found"},
        Bad{"io mapped", "io mopped", "O: flags: found \"mopped\""},
        Bad{"412000", "412.0", "I: service time: found \"412.0\""},
        Bad{"mapped, -", "mapped", "O: service time: the line ends here"},
        Bad{"L: 8", "L 8", "t.trace:6:1: found \"L 8102000000, 1, 17\", expected a record"},
        Bad{"E: 2, 1", "E: 2, 2",
            "t.trace:7:4: E: found 2 swap-ins, 2 swap-outs, 17 lost, expected 2, 1, 17 as in the "
            "file"},
        Bad{"17\n", "17\nH: 1, trace=paging\n", "t.trace:7:1: found another header"}));

TEST(TraceText, ReportsTruncatedTraceAfterLastCompleteRecord) {
  const std::string cut(kTrace.substr(0, kTrace.find("L: ") + 5));
  const TraceReading reading = read_trace(cut);
  EXPECT_THAT(reading.recorded.events, SizeIs(3));
  EXPECT_EQ(reading.error, "t.trace:6:6: the file ends within a line: it was cut short");
  const TraceReading whole_lines = read_trace(kTrace.substr(0, kTrace.find("L: ")));
  EXPECT_THAT(whole_lines.error, HasSubstr("t.trace:6:1: the trace ends without its E: record"));
}

TEST(TraceText, SkipsMalformedLinesWithKeepGoing) {
  const TraceReading cut = read_trace(kTrace.substr(0, kTrace.size() - 4), true);
  EXPECT_EQ(cut.error, "");
  EXPECT_TRUE(cut.notes.is_truncated);
  const TraceReading bad = read_trace(with(kTrace, "io mapped", "mopped"), true);
  EXPECT_EQ(bad.error, "");
  EXPECT_THAT(bad.recorded.events, SizeIs(2));
  EXPECT_EQ(bad.notes.dropped_lines, 1u);
  EXPECT_THAT(bad.notes.first_problem, HasSubstr("mopped"));
}

TEST(TraceText, RejectsLinesAfterTheEndRecord) {
  EXPECT_THAT(read_trace(std::string(kTrace) + "I: 4").error,
              HasSubstr("t.trace:8:1: found \"I: 4\" after the end"));
}

TEST(TraceText, RejectsSnapshotsAndOtherFiles) {
  EXPECT_THAT(read_trace(kSample).error, HasSubstr("this is a snapshot, expected a paging trace"));
  EXPECT_THAT(read_trace("T: init , 1, c018c0a0\n").error, HasSubstr("this is a snapshot"));
  EXPECT_THAT(read_trace("").error, HasSubstr("t.trace: is empty"));
  EXPECT_THAT(read_trace("a\nb\n").error, HasSubstr("found no paging trace in 2 lines"));
  EXPECT_THAT(read_trace("H: 1, trace=paging").error, HasSubstr("cut short"));
  EXPECT_EQ(read(kTrace).error,
            "s.txt:1:1: this is a paging trace, expected a snapshot: physmem-trace reads it");
}

}  // namespace
}  // namespace physmem
