// SPDX-License-Identifier: MIT
// The owner of a swap-out that the kernel did not report. It is inferred as in physmem-trace
// (frame_owner_test.cc), and erased after a reboot.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "paging/fold/frame_owner.h"
#include "viewer/trace_feed.h"

namespace physmem::view {
namespace {

constexpr std::uint64_t kFrame = 0x1A2B3;
constexpr std::uint64_t kAddress = 0x7F0010A00000;

class FeedOwner : public testing::Test {
 protected:
  void in(std::uint32_t tgid, std::uint64_t address, std::uint64_t pfn,
          std::uint32_t flags = PM_PAGING_IO | PM_PAGING_MAJOR) {
    PagingEvent event = next(PagingKind::kIn, pfn, flags);
    event.tgid = event.pid = tgid;
    event.comm = "work" + std::to_string(tgid);
    if ((flags & PM_PAGING_READAHEAD) == 0) event.address = address;
    feed_.on_event(event);
  }
  void out(std::uint64_t pfn) { feed_.on_event(next(PagingKind::kOut, pfn, PM_PAGING_IO)); }

  std::uint64_t outs_of(std::uint32_t tgid) const {
    const ProcessTrace* process = feed_.timeline().present().processes().find(tgid);
    return process == nullptr ? 0 : process->outs;
  }
  const ProcessTrace& process(std::uint32_t tgid) const {
    return *feed_.timeline().present().processes().find(tgid);
  }

  PagingEvent next(PagingKind kind, std::uint64_t pfn, std::uint32_t flags) {
    PagingEvent event;
    event.sequence = ++number_;
    event.time_ns = number_ * 1'000'000;
    event.kind = kind;
    event.pfn = pfn;
    event.swap_type = 0;
    event.slot = number_;
    event.flags = flags;
    return event;
  }
  TraceFeed feed_;

 private:
  std::uint64_t number_ = 0;
};

TEST_F(FeedOwner, IsInferredFromTheFaultThatReadThePage) {
  in(371, kAddress, kFrame);
  out(kFrame);
  EXPECT_EQ(outs_of(371), 1u);
  EXPECT_EQ(outs_of(0), 0u);
  const PackedEvent event = process(371).last().front();
  EXPECT_EQ(event.address, kAddress);
  EXPECT_TRUE(event.has(PM_PAGING_OWNER_KEPT));
  EXPECT_EQ(feed_.names().name(event.comm), "work371");
}

TEST_F(FeedOwner, IsUnknownForAFrameWithoutEvents) {
  out(kFrame);
  EXPECT_EQ(outs_of(0), 1u);
  EXPECT_FALSE(process(0).last().front().has(PM_PAGING_OWNER_KEPT));
}

TEST_F(FeedOwner, IsErasedAfterASwapOut) {
  in(371, kAddress, kFrame);
  out(kFrame);
  out(kFrame);
  EXPECT_EQ(outs_of(371), 1u);
  EXPECT_EQ(outs_of(0), 1u);
}

TEST_F(FeedOwner, IsErasedWhenThePageMovesToAnotherFrame) {
  in(371, kAddress, kFrame);
  in(371, kAddress, kFrame + 1);
  out(kFrame);
  EXPECT_EQ(outs_of(0), 1u);
  out(kFrame + 1);
  EXPECT_EQ(outs_of(371), 1u);
}

TEST_F(FeedOwner, IsErasedWhenAnotherPageIsReadAhead) {
  in(371, kAddress, kFrame);
  in(372, 0, kFrame, PM_PAGING_IO | PM_PAGING_READAHEAD);
  out(kFrame);
  EXPECT_EQ(outs_of(0), 1u);
}

TEST_F(FeedOwner, IsTheProcessWithTheCacheHit) {
  in(371, 0, kFrame, PM_PAGING_IO | PM_PAGING_READAHEAD);
  in(372, kAddress, kFrame, PM_PAGING_CACHE_HIT);
  out(kFrame);
  EXPECT_EQ(outs_of(372), 1u);
}

TEST_F(FeedOwner, IsUnknownAfterARetriedFault) {
  in(371, kAddress, kFrame, PM_PAGING_IO | PM_PAGING_RETRY);
  out(kFrame);
  EXPECT_EQ(outs_of(0), 1u);
}

TEST_F(FeedOwner, IsErasedWhenAnotherPageCouldNotBeReadIn) {
  in(371, kAddress, kFrame);
  in(372, kAddress, kFrame, PM_PAGING_IO | PM_PAGING_FAILED);
  out(kFrame);
  EXPECT_EQ(outs_of(0), 1u);
}

TEST_F(FeedOwner, IsTheThreadThatReadThePage) {
  PagingEvent event = next(PagingKind::kIn, kFrame, PM_PAGING_IO);
  event.tgid = 371;
  event.pid = 373;
  event.address = kAddress;
  feed_.on_event(event);
  out(kFrame);
  EXPECT_EQ(process(371).last().front().pid, 373u);
}

TEST_F(FeedOwner, IsUnknownAfterAReboot) {
  in(371, kAddress, kFrame);
  PagingEvent event = next(PagingKind::kIn, kFrame + 1, PM_PAGING_IO);
  event.time_ns = 60'000'000'000;
  feed_.on_event(event);
  out(kFrame);
  EXPECT_EQ(outs_of(0), 1u);
}

/// The last event, as physmem-trace records it.
class LastEvent : public PagingSink {
 public:
  void on_header(const TraceHeader&) override {}
  void on_lost(const LostEvents&) override {}
  void on_event(const PagingEvent& event) override { last = event; }
  PagingEvent last;
};

TEST_F(FeedOwner, MatchesPhysmemTraceForRandomEvents) {
  constexpr std::array<std::uint32_t, 9> kKinds{PM_PAGING_IO | PM_PAGING_MAJOR,
                                                PM_PAGING_IO | PM_PAGING_READAHEAD,
                                                PM_PAGING_IO | PM_PAGING_RETRY,
                                                PM_PAGING_IO | PM_PAGING_FAILED,
                                                PM_PAGING_FAILED,
                                                PM_PAGING_CACHE_HIT,
                                                PM_PAGING_ZERO,
                                                PM_PAGING_NO_FAULT | PM_PAGING_IO,
                                                PM_PAGING_ZSWAP | PM_PAGING_MAJOR};
  LastEvent trace;
  FrameOwner owners;
  OwnerFilter filter(owners, trace);
  std::mt19937 random(7);
  std::uint64_t inferred = 0;
  for (unsigned i = 0; i < 20'000; ++i) {
    PagingEvent event =
        next(random() % 3 == 0 ? PagingKind::kOut : PagingKind::kIn, random() % 16, PM_PAGING_IO);
    if (event.kind == PagingKind::kIn) {
      event.flags = kKinds[random() % kKinds.size()];
      event.tgid = 300 + random() % 4;
      event.pid = *event.tgid + 100 * (random() % 3);
      event.comm = "work" + std::to_string(*event.pid);
      if (!event.has(PM_PAGING_READAHEAD) && !event.has(PM_PAGING_NO_FAULT))
        event.address = kAddress + 4096 * (random() % 16);
    }
    filter.on_event(event);
    feed_.on_event(event);
    if (event.kind == PagingKind::kIn) continue;
    const PackedEvent shown = process(trace.last.tgid.value_or(0)).last().front();
    ASSERT_EQ(shown.sequence, event.sequence) << "event " << i << " has another owner";
    ASSERT_EQ(shown.pid, trace.last.pid.value_or(0)) << "event " << i;
    ASSERT_EQ(shown.address, trace.last.address.value_or(PM_PAGING_UNKNOWN)) << "event " << i;
    ASSERT_EQ(shown.flags, trace.last.flags) << "event " << i;
    ASSERT_EQ(feed_.names().name(shown.comm), trace.last.comm) << "event " << i;
    inferred += trace.last.tgid ? 1 : 0;
  }
  EXPECT_GT(inferred, 1000u);
}

}  // namespace
}  // namespace physmem::view
