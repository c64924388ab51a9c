// SPDX-License-Identifier: MIT
// Frames of several processes, which change in the meantime.
#include "collector-proc/process_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collector-proc/frame_source.h"
#include "tests/unit/collector/fixture_tree.h"

namespace physmem::collect {
namespace {

using testing::HasSubstr;

/// Processes 7 and 8 map frame 50, which the kernel counts twice, and then three times.
std::string walked(bool with_witnesses) {
  FixtureTree fixture;
  for (const std::uint64_t pid : {7u, 8u}) {
    const std::string task = std::to_string(pid) + "/task/" + std::to_string(pid);
    fixture.process({.tid = pid}, "10000-11000 rw-p 00000000 00:00 0\n");
    fixture.page(pid, 0x10000, present(50));
    fixture.file(task + "/smaps_rollup", "Rss: 4 kB\nPss: 2 kB\n");
  }
  const auto tree = ProcTree::open(fixture.root());
  FrameFiles files = open_frame_files(*tree, kPageSize);
  FrameTable table(std::move(files.kpagecount), std::move(files.kpageflags));
  const Scope scope{.with_witnesses = with_witnesses};
  ProcessWalk walk(*tree, scope);
  SnapshotWriter writer;
  TextOutput output;
  AddressSpaces spaces;
  writer.begin(output);
  walk.begin_snapshot({.page_size = kPageSize, .frames = &table});
  for (const std::uint64_t pid : {7u, 8u}) {
    fixture.frame(50, pid == 7 ? 2 : 3, PM_PAGE_ANON);
    EXPECT_TRUE(walk.open(pid, spaces));
    EXPECT_TRUE(walk.write(writer, output));
  }
  writer.flush();
  return output.text();
}

TEST(ProcessWalk, ReadsAFrameOnceForAllProcesses) {
  const std::string text = walked(false);
  EXPECT_THAT(text, testing::Not(HasSubstr("=00032000, 3,")));
}

// smaps of each process, which is read before and after its frames, counts the mappings of its
// own time.
TEST(ProcessWalk, ReadsAFrameForEachProcessWithWitnesses) {
  const std::string text = walked(true);
  EXPECT_THAT(text, HasSubstr("=00032000, 2,"));
  EXPECT_THAT(text, HasSubstr("=00032000, 3,"));
}

}  // namespace
}  // namespace physmem::collect
