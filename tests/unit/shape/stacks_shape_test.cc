// SPDX-License-Identifier: MIT
// Folded stacks.
#include "analyzer/shape/stacks_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using testing::ElementsAre;

/// A process with an area of `pages` heap pages, each mapped by `mappings` processes.
Process heap_of(const std::string& name, std::uint64_t pid, std::uint64_t pages,
                std::uint64_t mappings) {
  Process process;
  process.task.comm = name;
  process.task.pid = pid;
  process.task.mm = 1;
  Area& area = process.areas.emplace_back();
  area.regions = {Region::kHeap, Region::kHeap};
  area.tally.anon.pages = pages;
  area.tally.anon.share.scaled = pages * PageShare::of(mappings).scaled;
  return process;
}

TEST(FoldedLines, HaveAnExactSumOfRoundedShares) {
  MemoryStacks stacks;
  for (std::uint64_t pid = 1; pid <= 4; ++pid) stacks.on_process(heap_of("cat", pid, 1, 3));
  // Four thirds of a page: the second line brings the sum to 0.67, which is one page.
  EXPECT_THAT(folded_lines(stacks, StackWeight::kPss, false, {}),
              ElementsAre("[unknown host];[no cgroup];cat (2);heap;[anon] 1"));
  EXPECT_EQ(folded_lines(stacks, StackWeight::kRss, false, {}).size(), 4);
}

TEST(FoldedLines, EscapeWhatSeparatesFrames) {
  MemoryStacks stacks;
  Process process = heap_of("a;b\\c\nd 7", 1, 5, 1);
  process.task.group = TaskGroup{0, 0, 0, 0, "/x;y"};
  stacks.on_process(process);
  EXPECT_THAT(folded_lines(stacks, StackWeight::kPss, false, {}),
              ElementsAre("[unknown host];/x\\073y;a\\073b\\c\\012d 7 (1);heap;[anon] 5"));
}

TEST(FoldedLines, NameTheTimeIfThereAreSeveralSnapshots) {
  MemoryStacks stacks;
  stacks.on_process(heap_of("cat", 1, 5, 1));
  View view;
  view.header.host = "board-7";
  view.header.time_ns = 1763683200000000000;
  EXPECT_THAT(folded_lines(stacks, StackWeight::kPss, true, view),
              ElementsAre("board-7 2025-11-21T00:00:00Z;[no cgroup];cat (1);heap;[anon] 5"));
}

TEST(FoldedLines, HaveOneLinePerRegionAndUnitOfAProcess) {
  MemoryStacks stacks;
  fold(kSample, {&stacks});
  EXPECT_THAT(folded_lines(stacks, StackWeight::kRss, false, {}),
              ElementsAre("[unknown host];/user.slice;cat (371);application text;/usr/bin/cat 2",
                          "[unknown host];/user.slice;cat (371);stack;[stack] 1"));
}

}  // namespace
}  // namespace physmem
