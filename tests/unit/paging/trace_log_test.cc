// SPDX-License-Identifier: MIT
// The paper's two line formats, read from a kernel log (A3, A5).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/trace_text.h"

namespace physmem {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::string_view kLog =
    "[    0.000000] Linux version 2.4.18\n"
    "[ 8100.200300] pGswAPoUT 1763683208.100200 0001A2B3 00000080\n"
    "Nov 21 00:00:08 host kernel: pGswAP_iN 000002 1763683208.101200 00371 7F10C2A00000 0001B000 "
    "000000af\n"
    "\n";

TEST(TraceLog, FindsTheLinesOfThePaperInALog) {
  const TraceReading reading = read_trace(kLog);
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.notes.other_lines, 2u);
  ASSERT_THAT(reading.recorded.headers, SizeIs(1));
  EXPECT_EQ(reading.recorded.headers[0].source, "pftrace");
  ASSERT_THAT(reading.recorded.events, SizeIs(2));
  const PagingEvent& out = reading.recorded.events[0];
  EXPECT_EQ(out.kind, PagingKind::kOut);
  EXPECT_EQ(out.sequence, 1u);
  EXPECT_EQ(out.time_ns, 1'763'683'208'100'200'000u);
  EXPECT_EQ(out.pfn, 0x1A2B3u);
  EXPECT_EQ(out.sector, 0x80u);
  EXPECT_EQ(out.pid, std::nullopt);
  EXPECT_EQ(out.flags, unsigned{PM_PAGING_IO});
  const PagingEvent& in = reading.recorded.events[1];
  EXPECT_EQ(in.pid, 371u);
  EXPECT_EQ(in.address, 0x7F10C2A00000u);
  EXPECT_EQ(in.sector, 0xAFu);
  EXPECT_EQ(in.slot, std::nullopt);
}

TEST(TraceLog, ReadsALastLineWithoutANewline) {
  EXPECT_THAT(read_trace("pGswAPoUT 1.000002 00000003 00000004").recorded.events, SizeIs(1));
}

TEST(TraceLog, CountsGapsInTheSwapInNumbersAsLosses) {
  const std::string line = " 1.000000 00007 00001000 00000001 00000008\n";
  const TraceReading reading =
      read_trace("pGswAP_iN 000005" + line + "pGswAP_iN 000009" + line + "pGswAP_iN 000001" + line);
  EXPECT_EQ(reading.error, "");
  EXPECT_THAT(reading.recorded.losses, ElementsAre(LostEvents{1'000'000'000, std::nullopt, 3}));
}

TEST(TraceLog, RejectsMalformedLines) {
  EXPECT_EQ(
      read_trace("x pGswAPoUT 1.5 00000003 00000004\n").error,
      "t.trace:1:13: time: found \"1.5\", expected seconds and microseconds, as 1763683208.101200");
  EXPECT_THAT(read_trace("pGswAPoUT 1.000005 0000000G 00000004\n").error,
              HasSubstr("t.trace:1:20: page number"));
  EXPECT_THAT(read_trace("pGswAP_iN 000001 1.000005 00371 00001000 00000001\n").error,
              HasSubstr("sector: found \"\""));
  const TraceReading kept = read_trace("pGswAPoUT 1.5 3 4\npGswAPoUT 1.000005 3 4\n", true);
  EXPECT_EQ(kept.error, "");
  EXPECT_EQ(kept.notes.dropped_lines, 1u);
  EXPECT_THAT(kept.recorded.events, SizeIs(1));
}

TEST(TraceLog, ConvertsToTheSameLines) {
  const std::string lines =
      "pGswAPoUT 1763683208.100200 0001A2B3 00000080\n"
      "pGswAP_iN 000001 1763683208.101200 00371 7F10C2A00000 0001B000 000000af\n";
  EXPECT_EQ(
      converted(lines,
                [](std::ostream& out) { return paper_trace_writer(out, PaperLines::kActual); }),
      lines);
}

TEST(TraceLog, OmitsEventsThatThePapersKernelDoesNotPrint) {
  std::ostringstream out;
  const auto writer = paper_trace_writer(out, PaperLines::kActual);
  const auto source = text_source(kTrace);
  TraceNotes notes;
  EXPECT_EQ(read_into(*writer, *source, {}, notes), "");
  writer->end();
  EXPECT_EQ(out.str(),
            "pGswAPoUT 1763683208.100200 0001A2B3 00000080\n"
            "pGswAP_iN 000001 1763683208.101200 00371 7F10C2A00000 0001B000 00000080\n");
  EXPECT_EQ(writer->left_out(), 1u);  // the page that was read ahead
  EXPECT_THAT(
      converted(kTrace, [](std::ostream& to) { return paper_trace_writer(to, PaperLines::kAll); }),
      HasSubstr("pGswAP_iN 000002 1763683208.101201 00371 FFFFFFFFFFFFFFFF 0001B001 00000088\n"));
}

}  // namespace
}  // namespace physmem
