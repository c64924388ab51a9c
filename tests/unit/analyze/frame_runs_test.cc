// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/frame_runs.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/unit/maps_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

/// One line per run: frames, first page in its area, mappings, owner, unit, region.
std::string text_of(const FrameRuns& runs) {
  std::string text = "\n";
  for (const MappedRun& run : runs.runs()) {
    const FrameRuns::Part& part = runs.parts().at(run.area);
    text += fmt::format("{:X}+{} page {} of {:X} x{} {} {} {}\n", run.first_frame, run.pages,
                        run.first_page, part.start, run.mappings, runs.owners().at(part.owner).comm,
                        runs.units().at(part.unit), name(part.region));
  }
  return text;
}

TEST(FrameRuns, ListsMappingsByFrameWithOwner) {
  FrameRuns runs;
  fold(maps_snapshot(R"(
process cat 371
400000-404000 r-xpX 0 10 /bin/cat : f2@7E f2@7F f1@80 f1@90
700000-702000 rw-p 0 0 [heap] : a1@10 a1@11
process dog 372
400000-402000 r-xpX 0 10 /bin/cat : f2@7E f2@7F
)"),
       {&runs});
  EXPECT_EQ(text_of(runs), R"(
10+2 page 0 of 700000 x1 cat [heap] heap
7E+2 page 0 of 400000 x2 cat /bin/cat application text
7E+2 page 0 of 400000 x2 dog /bin/cat application text
80+1 page 2 of 400000 x1 cat /bin/cat application text
90+1 page 3 of 400000 x1 cat /bin/cat application text
)");
  EXPECT_EQ(runs.owners().at(0).resident, 6u);
  EXPECT_EQ(runs.owners().at(0).unique, 4u);
  EXPECT_GE(runs.frames_end(), 0x91u);
}

TEST(FrameRuns, AssignsOwnerToAreasOfKernelThread) {
  FrameRuns runs;
  fold(
      "T: cat , 1, c0000000, 0, 0, 0, 0, 0, 0, 0\n"
      "T: ksoftirqd , 3, 00000000, 0, 0, 0, 0, 0, 0, 0\n"
      "V: 00010000, 00010FFF, 00001000, 00001000, 00000000, 00000075, /bin/cat\n"
      "P: 1, 0, 0, 1, 0\nM: 00010000=00005000, 1, 00000000 |\n",
      {&runs});
  ASSERT_EQ(runs.parts().size(), 1u);
  EXPECT_EQ(runs.owners().at(runs.parts().at(0).owner).comm, "ksoftirqd");
}

TEST(FrameRuns, LimitsFramesEndIfHeaderStatesMore) {
  FrameRuns runs;
  Header header;
  header.ram_pages = std::uint64_t{1} << 52;
  runs.on_header(header);
  EXPECT_EQ(runs.frames_end(), std::uint64_t{1} << 26);
}

TEST(FrameRuns, CountsFramesBeyondBrowserMemoryAsTooFar) {
  FrameRuns runs;
  fold(maps_snapshot(R"(
process cat 371
700000-703000 rw-p 0 0 [heap] : a1@FFFFFFF a1@10000000 a1@FFFFFFFF
)"),
       {&runs});
  EXPECT_EQ(runs.frames_end(), FrameRuns::kMaxFramesEnd);
  EXPECT_EQ(runs.too_far(), 2u);
}

TEST(FrameRuns, SplitsAreaOfTwoRegionsIntoParts) {
  FrameRuns runs;
  fold(maps_snapshot(R"(
process cat 371
400000-402000 r-xpX 0 10 /bin/cat : f2@7E .
600000-603000 r--p 1000 20 /lib/a.so : f2@20 a1@21 f2@22
603000-604000 r-xp 4000 20 /lib/a.so : f2@30
)"),
       {&runs});
  EXPECT_EQ(text_of(runs), R"(
20+1 page 0 of 600000 x2 cat /lib/a.so library text
21+1 page 1 of 600000 x1 cat /lib/a.so library data
22+1 page 2 of 600000 x2 cat /lib/a.so library text
30+1 page 0 of 603000 x2 cat /lib/a.so library text
7E+1 page 0 of 400000 x2 cat /bin/cat application text
)");
}

TEST(FrameRuns, CountsAndSkipsFramesWithoutOwner) {
  FrameRuns runs;
  fold(maps_snapshot("process a 1\n1000-6000 rw-p 0 0 - : z0@1 n0@2 h1@3 h1@4 a1@5\n"), {&runs});
  EXPECT_EQ(runs.unowned(), 2u);
  ASSERT_EQ(runs.runs().size(), 2u)
      << "huge pages are not anonymous pages, so they are a separate part";
  EXPECT_EQ(runs.runs()[0].first_frame, 3u);
  EXPECT_EQ(runs.runs()[0].pages, 2u);
}

TEST(FrameRuns, HasNoRunsIfFrameNumbersAreHidden) {
  FrameRuns runs;
  fold(with(kSample, "pfn=shown", "pfn=hidden"), {&runs});
  EXPECT_TRUE(runs.runs().empty());
  EXPECT_EQ(runs.owners().size(), 1u) << "kernel threads own nothing";
}

}  // namespace
}  // namespace physmem
