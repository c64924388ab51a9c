// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/ram_runs.h"

#include <gtest/gtest.h>

#include "formats/emit/flags.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

constexpr std::string_view kRamRecords = R"(Z: 0, DMA, 00000000, 64, 64, 64, 0, 0, 0, 0, 0
R: 00000000, 2, hole, 0, 0, 00000000, 0, 00000000
O: 1, slab, 192, 21, dentry
O: 2, cgroup, 93, online, /a
O: 3, file, ext4, FE:00, 8421, 81920, 0, -, /var/log/x
R: 00000002, 3, slab, 1, 0, 00000080, 0, 00000000
R: 00000005, 4, file, 3, 2, 0000087C, 70000, 00000007
R: 00000010, 8, free, 0, 0, 00000400, 0, 00000003
)";

struct Folded {
  explicit Folded(std::string_view records) {
    std::string header(kHeaderLine);
    header.insert(header.size() - 1, ", ram=all, ram_by=kcore");
    fold(header + std::string(records) + "E: 0, 0, 0, 0, 0\n", {&ledger, &runs});
  }
  Ledger ledger;
  RamRuns runs{ledger};
};

TEST(RamRuns, OrderOwnersByKindAndNumberThemInRuns) {
  const Folded folded(kRamRecords);
  const auto& owners = folded.runs.owners();
  ASSERT_EQ(owners.size(), 3u);
  EXPECT_EQ(owners[0]->owner.name, "/var/log/x");
  EXPECT_EQ(owners[1]->owner.name, "dentry");
  EXPECT_EQ(owners[2]->owner.name, "/a");
  const auto& runs = folded.runs.runs();
  ASSERT_EQ(runs.size(), 5u);
  EXPECT_EQ(runs[1].owner, 2u) << "the slab cache";
  EXPECT_EQ(runs[2].owner, 1u) << "the file";
  EXPECT_EQ(runs[2].cgroup, 1u) << "the first cgroup";
}

TEST(RamRuns, PackClassAndFlagsAndBoundTheCount) {
  const Folded folded(kRamRecords);
  const FrameUse& file = folded.runs.runs()[2];
  EXPECT_EQ(file.pages, 4u);
  EXPECT_EQ(file.use_and_flags >> RamRuns::kFlagBits, static_cast<std::uint32_t>(PM_RAM_FILE));
  EXPECT_EQ(file.use_and_flags & PM_PAGE_STABLE_MASK, 0x87Cu);
  EXPECT_EQ(file.place, 7u);
  EXPECT_EQ(file.count, RamRuns::kMaxShort);
}

TEST(RamRuns, FillWhatNoRunDescribes) {
  const Folded folded(kRamRecords);
  const FrameUse& gap = folded.runs.runs()[3];
  EXPECT_EQ(gap.pages, 7u);
  EXPECT_EQ(gap.use_and_flags >> RamRuns::kFlagBits, RamRuns::kNotDescribed);
  EXPECT_EQ(folded.runs.frames_end(), 0x18u);
}

TEST(RamRuns, CountFramesBeyondTheLimit) {
  const Folded folded(
      "R: 0FFFFFFE, 5, anon, 0, 0, 00005868, 0, 00000000\n"
      "R: 10000010, 100, hole, 0, 0, 00000000, 0, 00000000\n");
  EXPECT_EQ(folded.runs.too_far(), 3u);
  EXPECT_EQ(folded.runs.frames_end(), FrameRuns::kMaxFramesEnd);
}

TEST(RamRuns, HaveNoneInASnapshotWithoutThem) {
  const Folded folded("");
  EXPECT_TRUE(folded.runs.runs().empty());
  EXPECT_EQ(folded.runs.frames_end(), 0u);
}

}  // namespace
}  // namespace physmem
