// SPDX-License-Identifier: MIT
// The inferred owner of a page that leaves a frame is the last process seen with it. There is none
// after the frame or the page was seen otherwise.
#include "paging/fold/frame_owner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace physmem {
namespace {

PagingEvent in(std::uint64_t pfn, std::uint32_t tgid, std::uint64_t address,
               std::uint32_t flags = PM_PAGING_IO) {
  PagingEvent event;
  event.flags = flags;
  event.pid = event.tgid = tgid;
  event.comm = "p" + std::to_string(tgid);
  event.address = address;
  event.pfn = pfn;
  return event;
}

PagingEvent out(std::uint64_t pfn) {
  PagingEvent event;
  event.kind = PagingKind::kOut;
  event.flags = PM_PAGING_IO;
  event.pfn = pfn;
  return event;
}

class FrameOwners : public testing::Test {
 protected:
  /// Owner of a swap-out from frame `pfn`: "pid:address", or "-".
  std::string owner_of_out(std::uint64_t pfn) {
    const PagingEvent& event = owners.infer(out(pfn));
    EXPECT_EQ(event.has(PM_PAGING_OWNER_KEPT), event.tgid.has_value());
    if (!event.tgid) return "-";
    EXPECT_EQ(event.comm, "p" + std::to_string(*event.tgid));
    return std::to_string(*event.tgid) + ":" + std::to_string(event.address.value_or(0));
  }
  FrameOwner owners{3};
};

TEST_F(FrameOwners, ComeFromTheFaultThatReadThePage) {
  EXPECT_EQ(owners.infer(in(7, 10, 4096)).tgid, 10u);
  EXPECT_EQ(owner_of_out(7), "10:4096");
  EXPECT_EQ(owners.kept(), 1u);
}

TEST_F(FrameOwners, AreErasedAfterASwapOut) {
  owners.infer(in(7, 10, 4096));
  EXPECT_EQ(owner_of_out(7), "10:4096");
  EXPECT_EQ(owner_of_out(7), "-");
}

TEST_F(FrameOwners, AreReplacedWhenAnotherPageIsRead) {
  owners.infer(in(7, 10, 4096));
  owners.infer(in(7, 11, 8192, PM_PAGING_CACHE_HIT));
  EXPECT_EQ(owner_of_out(7), "11:8192");
  for (const std::uint32_t flag :
       {PM_PAGING_READAHEAD, PM_PAGING_NO_FAULT, PM_PAGING_FAILED, PM_PAGING_RETRY}) {
    owners.infer(in(7, 10, 4096));
    owners.infer(in(7, 11, 8192, PM_PAGING_IO | flag));
    EXPECT_EQ(owner_of_out(7), "-") << flag;
  }
}

TEST_F(FrameOwners, AreErasedWhenTheirPageMovesToAnotherFrame) {
  owners.infer(in(7, 10, 4096));
  owners.infer(in(8, 10, 4096));
  EXPECT_EQ(owner_of_out(7), "-");
  EXPECT_EQ(owner_of_out(8), "10:4096");
}

TEST_F(FrameOwners, AreOverriddenByTheObservedOwner) {
  owners.infer(in(7, 10, 4096));
  PagingEvent observed = in(7, 12, 8192, PM_PAGING_IO | PM_PAGING_OWNER_MAPPED);
  observed.kind = PagingKind::kOut;
  EXPECT_EQ(owners.infer(observed), observed);
  EXPECT_EQ(owner_of_out(7), "-");
}

TEST_F(FrameOwners, ComeAlsoFromASnapshot) {
  owners.see(9, {10, 10, "p10"}, 4096);
  EXPECT_EQ(owner_of_out(9), "10:4096");
}

TEST_F(FrameOwners, AreLimitedInNumber) {
  for (std::uint64_t pfn = 1; pfn <= 5; ++pfn) owners.infer(in(pfn, 10, pfn * 4096));
  EXPECT_EQ(owners.dropped(), 2u);
  EXPECT_EQ(owner_of_out(3), "10:12288");
  EXPECT_EQ(owner_of_out(4), "-");
}

}  // namespace
}  // namespace physmem
