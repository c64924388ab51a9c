// SPDX-License-Identifier: MIT
#include "paging/fold/paging_totals.h"

#include <gtest/gtest.h>

namespace physmem {
namespace {

PagingEvent event(PagingKind kind, std::uint32_t tgid, std::uint32_t flags,
                  std::optional<std::uint64_t> service = {}) {
  PagingEvent event;
  event.kind = kind;
  event.time_ns = 1000 + tgid;
  event.flags = flags;
  if (tgid != 0) event.tgid = tgid;
  if (tgid != 0) event.comm = "p" + std::to_string(tgid);
  event.service_ns = service;
  return event;
}

TEST(PagingTotals, AddUpByProcess) {
  PagingTotals totals;
  const auto in = PagingKind::kIn;
  totals.on_event(event(in, 7, PM_PAGING_IO | PM_PAGING_MAJOR, 300));
  totals.on_event(event(in, 7, PM_PAGING_IO | PM_PAGING_READAHEAD));
  totals.on_event(event(in, 7, PM_PAGING_CACHE_HIT, 100));
  totals.on_event(event(in, 7, PM_PAGING_RETRY, 50));
  totals.on_event(event(in, 8, PM_PAGING_ZSWAP, 10));
  totals.on_event(event(PagingKind::kOut, 0, PM_PAGING_IO));
  totals.on_event(event(PagingKind::kOut, 8, PM_PAGING_ZERO));
  totals.on_event(event(PagingKind::kOut, 9, PM_PAGING_IO));
  totals.on_event(event(PagingKind::kOut, 9, PM_PAGING_IO | PM_PAGING_OWNER_KEPT));
  totals.on_lost({1, 0, 5});

  const std::vector<PagingTotal> all = totals.by_process();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].tgid, 7u);
  EXPECT_EQ(all[0].comm, "p7");
  EXPECT_EQ(all[0].reads, 2u);
  EXPECT_EQ(all[0].readahead, 1u);
  EXPECT_EQ(all[0].hits, 1u);
  EXPECT_EQ(all[0].unmoved, 0u);
  EXPECT_EQ(all[0].major, 1u);
  EXPECT_EQ(all[0].timed, 1u);  // the hit and the retried fault do not count
  EXPECT_EQ(all[0].service_ns, 300u);
  EXPECT_EQ(all[0].longest_ns, 300u);
  EXPECT_EQ(all[1].tgid, 8u);
  EXPECT_EQ(all[1].unmoved, 2u);
  EXPECT_EQ(all[1].writes, 0u);
  EXPECT_EQ(all[2].tgid, 9u);
  EXPECT_EQ(all[2].writes, 2u);
  EXPECT_EQ(all[2].inferred, 1u);
  EXPECT_EQ(all[3].tgid, 0u);
  EXPECT_EQ(all[3].writes, 1u);
  EXPECT_EQ(totals.sum().inferred, 1u);
  EXPECT_EQ(totals.sum().reads, 2u);
  EXPECT_EQ(totals.sum().unmoved, 2u);
  EXPECT_EQ(totals.lost(), 5u);
  EXPECT_EQ(totals.first_ns(), 1000u);
  EXPECT_EQ(totals.last_ns(), 1009u);
}

TEST(PagingTotals, MergeProcessesBeyondTheLimitIntoOther) {
  PagingTotals totals;
  for (std::uint32_t tgid = 1; tgid <= PagingTotals::kMaxProcesses + 3; ++tgid)
    totals.on_event(event(PagingKind::kIn, tgid, PM_PAGING_IO));
  const std::vector<PagingTotal> all = totals.by_process();
  ASSERT_EQ(all.size(), PagingTotals::kMaxProcesses + 1);
  EXPECT_EQ(all.back().comm, "other");
  EXPECT_EQ(all.back().reads, 3u);
  EXPECT_EQ(totals.sum().reads, PagingTotals::kMaxProcesses + 3);
}

}  // namespace
}  // namespace physmem
